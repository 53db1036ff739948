// For tests: a hub on a loopback port, with the faults that real ones and networks have.
// Longer than other headers: it is the whole server.
#pragma once

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/status.h"

namespace cairn::runtime {

struct HubRequest {
  std::string target = {};
  std::map<std::string, std::string> headers = {};  // names in lower case

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

struct HubReply {
  int status = 200;
  std::vector<std::string> headers = {};
  std::string body = {};
  std::optional<std::size_t> length = {};  // announced; default: the body's
  bool announce = true;                    // false: no Content-Length, the end is the end
  std::size_t cut_at = std::string::npos;  // the connection breaks after so many bytes of the body
  int stall_ms = 0;                        // before the last half of the body
  int drip_ms = 0;                         // between any two bytes of the body
};

/// Serves one repository at one commit. `intercept` may answer in its place.
class LoopbackHub {
 public:
  struct File {
    std::string path = {};
    std::string bytes = {};
    std::string git_hash = {};  // empty: kept as a large file, by its SHA-256
  };

  static constexpr const char* kCommit = "0123456789abcdef0123456789abcdef01234567";

  LoopbackHub() {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    CAIRN_CHECK(listener_ >= 0 && ::bind(listener_, generic, size) == 0);
    CAIRN_CHECK(::listen(listener_, 64) == 0 && ::getsockname(listener_, generic, &size) == 0);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::jthread([this] { accept_all(); });
  }
  ~LoopbackHub() {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    ::close(listener_);
  }
  LoopbackHub(const LoopbackHub&) = delete;
  LoopbackHub& operator=(const LoopbackHub&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  // Set before the first request.
  std::string id = "org/repo";
  std::vector<File> files;
  std::function<std::optional<HubReply>(const HubRequest&, HubReply usual)> intercept;

  std::vector<HubRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  /// The requests whose target contains `text`.
  std::vector<HubRequest> requests(std::string_view text) const {
    std::vector<HubRequest> found = requests();
    std::erase_if(found, [&](const HubRequest& request) {
      return request.target.find(text) == std::string::npos;
    });
    return found;
  }
  int most_at_once() const { return most_at_once_; }

  /// The listing of `files` as the hub's API gives it.
  Json tree() const {
    Json list = Json::array();
    for (const File& file : files) {
      Json entry = {{"type", "file"}, {"path", file.path}, {"size", file.bytes.size()}};
      entry["oid"] = file.git_hash.empty() ? std::string(40, 'a') : file.git_hash;
      if (file.git_hash.empty()) {
        entry["lfs"] = {{"oid", sha256_hex(file.bytes)}, {"size", file.bytes.size()}};
      }
      list.push_back(entry);
    }
    list.push_back({{"type", "directory"}, {"path", "folder"}, {"oid", std::string(40, 'b')}});
    return list;
  }

  HubReply usual(const HubRequest& request) const {
    const std::string api = "/api/models/" + id;
    const std::string resolve = "/" + id + "/resolve/" + kCommit + "/";
    if (request.target.starts_with(api + "/revision/")) {
      return {.body = Json({{"id", id}, {"sha", kCommit}}).dump()};
    }
    if (request.target.starts_with(api + "/tree/" + kCommit)) return {.body = tree().dump()};
    for (const File& file : files) {
      if (request.target == resolve + file.path) return serve(file, request.header("range"));
    }
    return {.status = 404, .body = "Entry not found"};
  }

 private:
  static HubReply serve(const File& file, const std::string& range) {
    HubReply reply = {.body = file.bytes};
    if (file.git_hash.empty()) {
      reply.headers.push_back("X-Linked-Etag: \"" + sha256_hex(file.bytes) + "\"");
    }
    if (!range.starts_with("bytes=")) return reply;
    std::size_t from = 0;
    std::from_chars(range.data() + 6, range.data() + range.size(), from);
    if (from >= file.bytes.size()) return {.status = 416};
    reply.status = 206;
    reply.body = file.bytes.substr(from);
    reply.headers.push_back(fmt::format("Content-Range: bytes {}-{}/{}", from,
                                        file.bytes.size() - 1, file.bytes.size()));
    return reply;
  }

  void accept_all() {
    std::vector<std::jthread> connections;
    while (true) {
      const int socket = ::accept(listener_, nullptr, nullptr);
      if (socket < 0) return;
      connections.emplace_back([this, socket] {
        const int now = ++at_once_;
        int most = most_at_once_;
        while (now > most && !most_at_once_.compare_exchange_weak(most, now)) {
        }
        answer(socket);
        --at_once_;
        ::close(socket);
      });
    }
  }

  void answer(int socket) {
    const std::optional<HubRequest> request = read_request(socket);
    if (!request.has_value()) return;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(*request);
    }
    HubReply reply = usual(*request);
    if (intercept) {
      if (auto other = intercept(*request, reply)) reply = *std::move(other);
    }
    std::string head = fmt::format("HTTP/1.1 {} Planted\r\nConnection: close\r\n", reply.status);
    for (const std::string& line : reply.headers) head += line + "\r\n";
    if (reply.announce) {
      head += fmt::format("Content-Length: {}\r\n", reply.length.value_or(reply.body.size()));
    }
    const std::string body = reply.body.substr(0, reply.cut_at);
    if (reply.drip_ms > 0) {
      send_all(socket, head + "\r\n");
      for (const char byte : body) {
        if (!send_all(socket, {&byte, 1})) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(reply.drip_ms));
      }
      return;
    }
    send_all(socket, head + "\r\n" + body.substr(0, body.size() / 2));
    if (reply.stall_ms > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(reply.stall_ms));
    }
    send_all(socket, body.substr(body.size() / 2));
    ::shutdown(socket, SHUT_WR);
    // Until the client closes: closing first could lose what is still on its way.
    char rest = 0;
    while (::recv(socket, &rest, 1, 0) > 0) {
    }
  }

  static std::optional<HubRequest> read_request(int socket) {
    std::string text;
    char piece[4096];
    while (text.find("\r\n\r\n") == std::string::npos) {
      const ssize_t got = ::recv(socket, piece, sizeof(piece), 0);
      if (got <= 0 || text.size() > 65536) return std::nullopt;
      text.append(piece, static_cast<std::size_t>(got));
    }
    HubRequest request;
    const std::size_t space = text.find(' ');
    request.target = text.substr(space + 1, text.find(' ', space + 1) - space - 1);
    std::size_t line = text.find("\r\n") + 2;
    while (text.compare(line, 2, "\r\n") != 0) {
      const std::size_t end = text.find("\r\n", line);
      const std::size_t colon = text.find(':', line);
      const std::string name = lower_ascii(text.substr(line, colon - line));
      request.headers[name] = text.substr(colon + 2, end - colon - 2);
      line = end + 2;
    }
    return request;
  }

  /// False once the client has gone.
  static bool send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<HubRequest> requests_;
  std::atomic<int> at_once_ = 0;
  std::atomic<int> most_at_once_ = 0;
  std::jthread acceptor_;
};

}  // namespace cairn::runtime
