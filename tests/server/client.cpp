#include "tests/server/client.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "base/ascii.h"

namespace cairn::server {
namespace {

constexpr int kPatienceMs = 10'000;

FileDescriptor connect_unix(const std::string& path) {
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof address.sun_path - 1));
  CAIRN_CHECK(
      ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return socket;
}

FileDescriptor connect_tcp(const std::string& address_text) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  const std::string port = address_text.substr(address_text.rfind(':') + 1);
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port.c_str())));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CAIRN_CHECK(
      ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return socket;
}

}  // namespace

void pause_ms(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

std::string Received::header(std::string_view name) const {
  const std::string lower = lower_ascii(head);
  const std::string wanted = "\r\n" + std::string(name) + ": ";
  const std::size_t at = lower.find(wanted);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + wanted.size();
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

Client::Client(const std::string& address)
    : socket_(address.starts_with("unix:") ? connect_unix(address.substr(5))
                                           : connect_tcp(address)) {}

bool Client::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Client::fill() {
  pollfd wanted = {.fd = socket_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&wanted, 1, kPatienceMs) <= 0) return false;
  std::array<char, 65536> bytes = {};
  const ssize_t got = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (got <= 0) ended_ = true;
  if (got > 0) buffer_.append(bytes.data(), static_cast<std::size_t>(got));
  return got > 0;
}

std::string Client::take(std::size_t bytes) {
  while (buffer_.size() < bytes && fill()) {
  }
  const std::string taken = buffer_.substr(0, bytes);
  buffer_.erase(0, taken.size());
  return taken;
}

std::string Client::read_until(std::string_view text) {
  while (buffer_.find(text) == std::string::npos) {
    if (!fill()) return take(buffer_.size());
  }
  return take(buffer_.find(text) + text.size());
}

std::string Client::read_to_end() {
  while (fill()) {
  }
  return take(buffer_.size());
}

bool Client::read_chunks(std::string& body) {
  while (true) {
    const std::string line = read_until("\r\n");
    if (!line.ends_with("\r\n")) return false;
    const std::size_t size = std::strtoul(line.c_str(), nullptr, 16);
    const std::string data = take(size + 2);
    if (data.size() != size + 2) return false;
    if (size == 0) return true;
    body.append(data, 0, size);
  }
}

Received Client::receive_head() {
  Received received;
  received.head = read_until("\r\n\r\n");
  received.ok = received.head.starts_with("HTTP/1.1 ") && received.head.ends_with("\r\n\r\n");
  if (received.ok) received.status = std::atoi(received.head.c_str() + 9);
  return received;
}

Received Client::receive() {
  Received received = receive_head();
  while (received.ok && received.status < 200) received = receive_head();  // RFC 9110, 15.2
  if (!received.ok) return received;
  if (received.header("transfer-encoding") == "chunked") {
    received.ok = read_chunks(received.body);
  } else if (const std::string length = received.header("content-length"); !length.empty()) {
    const std::size_t size = std::strtoul(length.c_str(), nullptr, 10);
    received.body = take(size);
    received.ok = received.body.size() == size;
  } else if (received.status >= 200 && received.status != 204) {
    received.body = read_to_end();
  }
  return received;
}

Received Client::ask(std::string_view method, std::string_view path, std::string_view body,
                     std::string_view headers) {
  std::string request;
  request.append(method).append(" ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n");
  request.append(headers);
  if (!body.empty()) request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  request.append("\r\n").append(body);
  send(request);
  return method == "HEAD" ? receive_head() : receive();
}

void Client::shutdown_send() { ::shutdown(socket_.get(), SHUT_WR); }

void Client::close() { socket_ = FileDescriptor(); }

void Client::reset() {
  const linger now = {.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
  socket_ = FileDescriptor();
}

}  // namespace cairn::server
