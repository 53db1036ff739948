#include "tests/server/tls_files.h"

#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <memory>

#include "tests/server/routes.h"

namespace cairn::server {
namespace {

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Memory = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using Context = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using Connection = std::unique_ptr<SSL, Freed<SSL_free>>;

constexpr long kDaySeconds = 24L * 3600;

std::string text_of(const Memory& memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string pem_of(X509* certificate) {
  const Memory memory(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(memory.get(), certificate);
  return text_of(memory);
}

}  // namespace

TlsPair make_tls_pair(const std::string& name) {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kDaySeconds);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kDaySeconds);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* const subject = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), subject);
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  const Memory memory(BIO_new(BIO_s_mem()));
  PEM_write_bio_PrivateKey(memory.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {.certificate = write_test_file(name + ".crt", pem_of(certificate.get())),
          .key = write_test_file(name + ".key", text_of(memory))};
}

TlsAnswer ask_over_tls(int socket, const std::string& request, const TlsPair& own) {
  const Context context(SSL_CTX_new(TLS_client_method()));
  if (!own.certificate.empty()) {
    SSL_CTX_use_certificate_file(context.get(), own.certificate.c_str(), SSL_FILETYPE_PEM);
    SSL_CTX_use_PrivateKey_file(context.get(), own.key.c_str(), SSL_FILETYPE_PEM);
  }
  const Connection connection(SSL_new(context.get()));
  SSL_set_fd(connection.get(), socket);
  TlsAnswer answer;
  if (SSL_connect(connection.get()) != 1) return answer;
  answer.version = SSL_get_version(connection.get());
  const Certificate peer(SSL_get1_peer_certificate(connection.get()));
  answer.certificate = pem_of(peer.get());
  SSL_write(connection.get(), request.data(), static_cast<int>(request.size()));
  std::array<char, 4096> bytes = {};
  int got = 0;
  while ((got = SSL_read(connection.get(), bytes.data(), static_cast<int>(bytes.size()))) > 0) {
    answer.text.append(bytes.data(), static_cast<std::size_t>(got));
  }
  return answer;
}

}  // namespace cairn::server
