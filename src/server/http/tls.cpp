#include "server/http/tls.h"

#include <openssl/ssl.h>

#include <boost/asio/buffer.hpp>

#include "base/file.h"

namespace cairn::server {
namespace {

namespace ssl = boost::asio::ssl;

constexpr std::uint64_t kPemBytesMax = 4 << 20;

Status refused(const std::string& path, std::string_view what) {
  return invalid_argument("TLS: " + path + " " + std::string(what));
}

Status add_client_ca(ssl::context& context, const std::string& path) {
  CAIRN_ASSIGN(const std::string pem, read_file(path, kPemBytesMax));
  boost::system::error_code code;
  context.add_certificate_authority(boost::asio::buffer(pem), code);
  if (code) return refused(path, "holds no PEM certificate: " + code.message());
  context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert, code);
  if (code) return internal_error("TLS: " + code.message());
  return {};
}

}  // namespace

Result<std::shared_ptr<ssl::context>> load_tls(const TlsFiles& files) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  // A client cannot make the server compute a handshake again and again on one connection.
  SSL_CTX_set_options(context->native_handle(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  CAIRN_ASSIGN(const std::string certificate, read_file(files.certificate, kPemBytesMax));
  CAIRN_ASSIGN(const std::string key, read_file(files.key, kPemBytesMax));
  boost::system::error_code code;
  context->use_certificate_chain(boost::asio::buffer(certificate), code);
  if (code) return refused(files.certificate, "holds no PEM certificate: " + code.message());
  context->use_private_key(boost::asio::buffer(key), ssl::context::pem, code);
  if (code) {
    return refused(files.key, "holds no PEM key of that certificate: " + code.message());
  }
  if (SSL_CTX_check_private_key(context->native_handle()) != 1) {
    return refused(files.key, "does not belong to " + files.certificate);
  }
  if (!files.client_ca.empty()) CAIRN_TRY(add_client_ca(*context, files.client_ca));
  return context;
}

}  // namespace cairn::server
