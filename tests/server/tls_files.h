// Certificates for the tests, made on the spot.
#pragma once

#include <string>

namespace cairn::server {

/// Paths of a key and its self-signed certificate for "localhost".
struct TlsPair {
  std::string certificate = {};
  std::string key = {};
};

/// Makes a new P-256 key and a certificate of it, as PEM files NAME.crt and NAME.key.
TlsPair make_tls_pair(const std::string& name);

/// What a TLS client got: "" when the handshake failed.
struct TlsAnswer {
  std::string version = {};
  std::string text = {};         // all bytes to the end of the connection
  std::string certificate = {};  // the server's, as PEM
};

/// Sends `request` over TLS on a connected socket, with `own` as the client's certificate unless
/// it is empty.
TlsAnswer ask_over_tls(int socket, const std::string& request, const TlsPair& own);

}  // namespace cairn::server
