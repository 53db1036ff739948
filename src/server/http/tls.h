// The server's side of TLS. Only server.cpp and tls.cpp see this.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "base/status.h"
#include "server/http/server.h"

namespace cairn::server {

/// TLS 1.2 and 1.3 with the certificate, its key and, where named, the authority that clients'
/// certificates must come from. Errors: kNotFound, kIo, kInvalidArgument (no PEM, a key that does
/// not belong to the certificate), with the file's name.
Result<std::shared_ptr<boost::asio::ssl::context>> load_tls(const TlsFiles& files);

}  // namespace cairn::server
