// Longer than other files: one test per fault that a hub, a network or a disk can have.
#include "runtime/store/store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/sha256.h"
#include "runtime/store/loopback_hub.h"

namespace cairn::runtime {
namespace {

namespace fs = std::filesystem;

/// Bytes that do not repeat, so that a wrong resume shows.
std::string content(std::size_t size, char first) {
  std::string bytes(size, first);
  for (std::size_t i = 1; i < size; ++i) bytes[i] = static_cast<char>(i * i / 7 + i % 251);
  return bytes;
}

class CountingSink final : public ProgressSink {
 public:
  void update(const PullProgress& progress) override {
    ++updates;
    last_bytes = progress.bytes;
    total = progress.bytes_total;
    if (then) then(progress);
  }
  int updates = 0;
  std::uint64_t last_bytes = 0;
  std::uint64_t total = 0;
  std::function<void(const PullProgress&)> then;
};

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cairn-store-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    options_.folder = folder_ + "/store";
    options_.endpoint = hub_.url();
    options_.retry_ms = 1;
    options_.attempts_max = 3;
    hub_.files = {{.path = "M-Q4_0.gguf", .bytes = content(200000, 'q')}};
  }
  void TearDown() override { fs::remove_all(folder_); }

  Store store() const {
    auto opened = Store::open(options_);
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    return std::move(opened).value();
  }
  Result<PullReport> pull(const std::string& model = "org/repo") {
    return store().pull({.model = model}, sink_);
  }
  /// Every path below the store that does not end in ".part", links as they are.
  std::vector<std::string> finished_files() const {
    std::vector<std::string> paths;
    if (!fs::exists(options_.folder)) return paths;
    for (const auto& entry : fs::recursive_directory_iterator(options_.folder)) {
      const std::string path = entry.path().string();
      if (!entry.is_directory() && !path.ends_with(".part")) paths.push_back(path);
    }
    return paths;
  }
  std::string blob(std::size_t file = 0) const {
    return options_.folder + "/models--org--repo/blobs/" + sha256_hex(hub_.files[file].bytes);
  }
  void write(const std::string& path, std::string_view bytes) const {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  /// Answers requests for files by `change` of the usual reply, the first `times` times.
  void spoil(int times, const std::function<HubReply(HubReply)>& change) {
    hub_.intercept = [this, times, change](const HubRequest& request, HubReply usual) {
      const bool file = request.target.find("/resolve/") != std::string::npos;
      if (!file || spoiled_++ >= times) return std::optional<HubReply>();
      return std::optional<HubReply>(change(std::move(usual)));
    };
  }
  void expect_nothing_finished() const {
    EXPECT_TRUE(finished_files().empty());
    EXPECT_TRUE(store().list()->empty());
    EXPECT_FALSE(store().resolve("org/repo").ok());
  }

  LoopbackHub hub_;
  std::string folder_;
  StoreOptions options_;
  CountingSink sink_;
  std::atomic<int> spoiled_ = 0;
};

// --- what a pull is ---

TEST_F(StoreTest, APullBringsTheOnlyModelAndRecordsItsCommit) {
  const auto report = pull();
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->repository, "org/repo");
  EXPECT_EQ(report->revision, "main");
  EXPECT_EQ(report->commit, LoopbackHub::kCommit);
  EXPECT_EQ(*read_file(report->path, 1U << 20), hub_.files[0].bytes);
  ASSERT_EQ(report->files.size(), 1U);
  EXPECT_EQ(report->files[0].fetched_bytes, 200000U);
  EXPECT_EQ(sink_.last_bytes, 200000U);
  EXPECT_EQ(sink_.total, 200000U);

  const auto entries = store().list();
  ASSERT_EQ(entries->size(), 1U);
  EXPECT_EQ((*entries)[0].name, "org/repo");
  EXPECT_EQ((*entries)[0].commit, LoopbackHub::kCommit);
  EXPECT_EQ((*entries)[0].revision, "main");
  EXPECT_EQ((*entries)[0].bytes, 200000U);
  for (const std::string name :
       {"org/repo", "org/repo:q4_0", "org/repo@main", "org/repo:Q4_0@0123456"}) {
    EXPECT_EQ(*store().resolve(name), report->path) << name;
  }
  EXPECT_TRUE(fs::is_symlink(report->path));
  EXPECT_TRUE(fs::exists(blob()));
}

TEST_F(StoreTest, WhatIsHereIsNotFetchedAgain) {
  ASSERT_TRUE(pull().ok());
  const auto report = pull();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->files[0].fetched_bytes, 0U);
  EXPECT_EQ(hub_.requests("/resolve/").size(), 1U);
}

TEST_F(StoreTest, SeveralModelsNeedATagAndAreListedWithoutOne) {
  hub_.files.push_back({.path = "M-Q8_0.gguf", .bytes = content(1000, 'e')});
  const Status status = pull().status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find(":Q4_0"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find(":Q8_0"), std::string::npos);
  EXPECT_EQ(pull("org/repo:Q5_0").status().code(), StatusCode::kNotFound);
  EXPECT_TRUE(hub_.requests("/resolve/").empty());
  const auto report = pull("org/repo:q8_0");
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(*read_file(report->path, 1U << 20), hub_.files[1].bytes);
  EXPECT_EQ(hub_.requests("/resolve/").size(), 1U);
}

TEST_F(StoreTest, ARevisionIsAskedForAndRecorded) {
  const auto report = store().pull({.model = "org/repo", .revision = "refs/pr/7"}, sink_);
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(hub_.requests("/revision/refs%2Fpr%2F7").size(), 1U);
  EXPECT_EQ((*store().list())[0].revision, "refs/pr/7");
  EXPECT_EQ(*store().resolve("org/repo@refs/pr/7"), report->path);
  EXPECT_EQ(*store().resolve("org/repo"), report->path);
}

// G22, and S08's missing part.
TEST_F(StoreTest, PartsComeTogetherAndAreOneEntry) {
  hub_.files = {{.path = "q/M-00001-of-00003.gguf", .bytes = content(5000, '1')},
                {.path = "q/M-00002-of-00003.gguf", .bytes = content(6000, '2')},
                {.path = "q/M-00003-of-00003.gguf", .bytes = content(7000, '3')},
                {.path = "mmproj-F16.gguf", .bytes = content(100, 'm')}};
  const auto report = pull();
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_TRUE(report->path.ends_with("/q/M-00001-of-00003.gguf"));
  EXPECT_EQ(*read_file(report->files[2].path, 1U << 20), hub_.files[2].bytes);
  ASSERT_EQ(store().list()->size(), 1U);
  EXPECT_EQ((*store().list())[0].parts, 3U);
  EXPECT_EQ((*store().list())[0].bytes, 18000U);

  fs::remove(report->files[1].path);
  EXPECT_EQ((*store().list())[0].parts_missing, 1U);
  const Status status = store().resolve("org/repo").status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidFile);
  EXPECT_NE(status.message().find("part 2 of 3"), std::string::npos) << status.message();
}

TEST_F(StoreTest, FilesAreFetchedAtOnce) {
  hub_.files.clear();
  for (int part = 1; part <= 4; ++part) {
    hub_.files.push_back({.path = fmt::format("M-0000{}-of-00004.gguf", part),
                          .bytes = content(3000, static_cast<char>('0' + part))});
  }
  spoil(4, [](HubReply reply) {
    reply.stall_ms = 150;
    return reply;
  });
  ASSERT_TRUE(pull().ok());
  EXPECT_GE(hub_.most_at_once(), 3);
}

TEST_F(StoreTest, ARepositoryOfTensorsIsAFolderAndSmallFilesAreCheckedByTheirGitHash) {
  hub_.files = {{.path = "model.safetensors", .bytes = content(3000, 's')},
                {.path = "config.json",
                 .bytes = "hello\n",
                 .git_hash = "ce013625030ba8dba906f756967f9e9ca394464a"},
                {.path = "picture.png", .bytes = "png"}};
  const auto report = pull();
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->files.size(), 2U);
  EXPECT_EQ(*read_file(report->path + "/config.json", 100), "hello\n");
  EXPECT_EQ(*store().resolve("org/repo"), report->path);
  EXPECT_EQ((*store().list())[0].bytes, 3006U);
}

TEST_F(StoreTest, ARepositoryWithoutModelsSaysSo) {
  hub_.files = {{.path = "readme.md", .bytes = "hello"}};
  EXPECT_NE(pull().status().message().find("none of them .gguf"), std::string::npos);
}

// --- faults of the network ---

TEST_F(StoreTest, BrokenConnectionsAreResumedWhereTheyBroke) {
  spoil(3, [](HubReply reply) {
    reply.cut_at = 30000;
    return reply;
  });
  const auto report = pull();
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(*read_file(report->path, 1U << 20), hub_.files[0].bytes);
  EXPECT_EQ(report->files[0].fetched_bytes, 200000U);
  const auto requests = hub_.requests("/resolve/");
  ASSERT_EQ(requests.size(), 4U);
  EXPECT_EQ(requests[0].header("range"), "");
  EXPECT_EQ(requests[1].header("range"), "bytes=30000-");
  EXPECT_EQ(requests[3].header("range"), "bytes=90000-");
}

TEST_F(StoreTest, AnEndWithoutAnnouncedLengthIsABrokenConnectionToo) {
  spoil(1, [](HubReply reply) {
    reply.announce = false;
    reply.cut_at = 50000;
    return reply;
  });
  ASSERT_TRUE(pull().ok());
  EXPECT_EQ(hub_.requests("/resolve/")[1].header("range"), "bytes=50000-");
}

TEST_F(StoreTest, AServerThatIgnoresRangesIsReadFromTheStart) {
  spoil(100, [this](HubReply reply) {
    if (spoiled_ == 1) {
      reply.cut_at = 70000;
      return reply;
    }
    return HubReply{.body = hub_.files[0].bytes};
  });
  const auto report = pull();
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(*read_file(report->path, 1U << 20), hub_.files[0].bytes);
}

TEST_F(StoreTest, ARefusedRangeStartsOver) {
  write(blob() + ".part", hub_.files[0].bytes.substr(0, 1000));
  spoil(1, [](const HubReply&) { return HubReply{.status = 416}; });
  ASSERT_TRUE(pull().ok());
  EXPECT_EQ(hub_.requests("/resolve/")[1].header("range"), "");
}

TEST_F(StoreTest, WithoutProgressAPullEndsAfterItsTriesAndKeepsWhatCame) {
  spoil(1000, [this](HubReply reply) {
    reply.cut_at = spoiled_ == 1 ? 40000 : 0;
    return reply;
  });
  const Status status = pull().status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.message();
  EXPECT_NE(status.message().find("tried 3 times"), std::string::npos) << status.message();
  EXPECT_EQ(fs::file_size(blob() + ".part"), 40000U);
  expect_nothing_finished();
}

TEST_F(StoreTest, AStalledConnectionIsDroppedAndResumed) {
  options_.stall_s = 1;
  spoil(1, [](HubReply reply) {
    reply.stall_ms = 4000;
    return reply;
  });
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(pull().ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(3900));
  ASSERT_EQ(hub_.requests("/resolve/").size(), 2U);
  EXPECT_EQ(hub_.requests("/resolve/")[1].header("range"), "bytes=100000-");
}

TEST_F(StoreTest, AHubThatIsNotThereIsUnavailableAfterTwoTries) {
  options_.attempts_max = 6;
  for (const char* endpoint : {"http://127.0.0.1:1", "http://no-such-host.invalid"}) {
    options_.endpoint = endpoint;
    const Status status = pull().status();
    EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.message();
    EXPECT_NE(status.message().find("tried 2 times"), std::string::npos) << status.message();
    EXPECT_NE(status.message().find("HF_ENDPOINT"), std::string::npos) << status.message();
  }
}

TEST_F(StoreTest, WhatTheHubLacksIsNamedAndAPageForABrowserIsNotShown) {
  for (const int code : {404, 500}) {
    hub_.intercept = [&](const HubRequest&, const HubReply&) {
      return std::optional<HubReply>({.status = code, .body = "<!DOCTYPE html><html>lost</html>"});
    };
    const std::string message = pull().status().message();
    EXPECT_EQ(message.find("html"), std::string::npos) << message;
    const bool named = message.find("the hub has no org/repo (404)") != std::string::npos;
    EXPECT_EQ(named, code == 404) << message;
  }
  hub_.intercept = nullptr;
  const Status status = store().pull({.model = "org/other", .revision = "v1"}, sink_).status();
  EXPECT_NE(status.message().find("no org/other at revision v1 (404)"), std::string::npos)
      << status.message();
}

TEST_F(StoreTest, RefusalsAreTriedAgainOnlyWhereThatMayHelp) {
  struct Case {
    int status = 0;
    StatusCode code = StatusCode::kOk;
    std::size_t requests = 0;
  };
  for (const Case& c :
       {Case{401, StatusCode::kInvalidArgument, 1}, Case{403, StatusCode::kInvalidArgument, 1},
        Case{404, StatusCode::kNotFound, 1}, Case{429, StatusCode::kUnavailable, 3},
        Case{500, StatusCode::kUnavailable, 3}, Case{503, StatusCode::kUnavailable, 3}}) {
    const std::size_t before = hub_.requests().size();
    hub_.intercept = [&](const HubRequest&, const HubReply&) {
      return std::optional<HubReply>({.status = c.status, .body = "because"});
    };
    const Status status = pull().status();
    EXPECT_EQ(status.code(), c.code) << status.message();
    EXPECT_NE(status.message().find(std::to_string(c.status)), std::string::npos);
    const bool said = status.message().find("because") != std::string::npos;
    EXPECT_EQ(said, c.status != 404) << status.message();
    EXPECT_EQ(hub_.requests().size() - before, c.requests) << c.status;
  }
  expect_nothing_finished();
}

TEST_F(StoreTest, APassingRefusalIsWaitedFor) {
  spoil(2, [this](const HubReply&) {
    HubReply busy = {.status = spoiled_ == 1 ? 500 : 429};
    busy.headers.push_back(spoiled_ == 1 ? "X-Any: 1" : "Retry-After: 1");
    return busy;
  });
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(pull().ok());
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(900));
}

// --- lies ---

TEST_F(StoreTest, ALieAboutTheSizeIsRefusedByName) {
  const std::vector<std::function<HubReply(HubReply)>> lies = {
      [](HubReply reply) {  // more announced than listed
        reply.length = 200001;
        reply.body += "x";
        return reply;
      },
      [](HubReply reply) {  // less
        reply.body.resize(1000);
        return reply;
      },
      [](HubReply reply) {  // more than listed, unannounced
        reply.announce = false;
        reply.body += "x";
        return reply;
      },
      [](HubReply reply) {
        reply.headers.push_back("X-Linked-Size: 123");
        return reply;
      },
      [](HubReply reply) {
        reply.headers = {"X-Linked-Etag: \"" + std::string(64, '0') + "\""};
        return reply;
      },
      [](HubReply reply) {
        reply.headers.push_back("Content-Encoding: gzip");
        return reply;
      },
  };
  for (std::size_t i = 0; i < lies.size(); ++i) {
    spoiled_ = 0;
    spoil(1000, lies[i]);
    const Status status = pull().status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidFile) << i << " " << status.message();
    EXPECT_NE(status.message().find("M-Q4_0.gguf"), std::string::npos) << status.message();
    expect_nothing_finished();
  }
}

TEST_F(StoreTest, ALieAboutTheRangeIsRefused) {
  for (const std::string range :
       {"bytes 5-199999/200000", "bytes 1000-199999/300000", "bytes", ""}) {
    fs::remove_all(options_.folder);
    write(blob() + ".part", hub_.files[0].bytes.substr(0, 1000));
    spoiled_ = 0;
    spoil(1000, [&](HubReply reply) {
      reply.headers = {"Content-Range: " + range};
      return reply;
    });
    EXPECT_EQ(pull().status().code(), StatusCode::kInvalidFile) << range;
    expect_nothing_finished();
  }
}

TEST_F(StoreTest, WrongBytesAreRefusedByNameAndRemoved) {
  spoil(1000, [](HubReply reply) {
    reply.body[100] = static_cast<char>(reply.body[100] ^ 1);
    return reply;
  });
  const Status status = pull().status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidFile);
  EXPECT_NE(status.message().find("M-Q4_0.gguf: found SHA-256 "), std::string::npos)
      << status.message();
  EXPECT_FALSE(fs::exists(blob() + ".part"));
  expect_nothing_finished();
}

TEST_F(StoreTest, WrongBytesLeftByAnEarlierPullAreFetchedAnew) {
  write(blob() + ".part", std::string(1000, 'z'));
  const auto report = pull();
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(*read_file(report->path, 1U << 20), hub_.files[0].bytes);
}

TEST_F(StoreTest, MoreThanTheFileHasIsNothingToResume) {
  write(blob() + ".part", std::string(300000, 'z'));
  ASSERT_TRUE(pull().ok());
  EXPECT_EQ(hub_.requests("/resolve/")[0].header("range"), "");
}

TEST_F(StoreTest, FileNamesThatLeaveTheirFolderAreRefused) {
  for (const std::string path : {"../x.gguf", "/tmp/x.gguf", "a/../../x.gguf", "a\\..\\x.gguf",
                                 "a//x.gguf", "", "x\n.gguf"}) {
    hub_.files = {{.path = path, .bytes = "x"}};
    EXPECT_EQ(pull().status().code(), StatusCode::kInvalidFile) << path;
  }
  expect_nothing_finished();
  EXPECT_FALSE(fs::exists(folder_ + "/x.gguf"));
}

TEST_F(StoreTest, AnAnswerThatIsNoListingIsRefused) {
  const std::string entry = R"({"type":"file","path":"a.gguf","size":1,"oid":"x"})";
  for (const std::string body :
       {"", "<html>", "[]", "{}", R"({"sha":"main"})",
        R"({"sha":"../../../../../../../../../../../../x"})", "[1]", "[{}]", "{\"sha\":1}"}) {
    hub_.intercept = [&](const HubRequest&, const HubReply&) {
      return std::optional<HubReply>({.body = body});
    };
    EXPECT_EQ(pull().status().code(), StatusCode::kInvalidFile) << body;
  }
  for (const std::string& body : std::vector<std::string>{
           "{}", "[1]", "[{}]", "[", "[" + entry + "]",
           std::string(R"([{"path":"a.gguf","size":-1,"oid":")") + std::string(40, 'a') + "\"}]"}) {
    hub_.intercept = [&](const HubRequest& request, HubReply usual) {
      const bool tree = request.target.find("/tree/") != std::string::npos;
      if (tree) usual.body = body;
      return std::optional<HubReply>(usual);
    };
    EXPECT_EQ(pull().status().code(), StatusCode::kInvalidFile) << body;
  }
  expect_nothing_finished();
}

TEST_F(StoreTest, TheListingGoesOnOverPagesOfTheHubAlone) {
  std::string next = hub_.url() + "/api/models/org/repo/tree/" + LoopbackHub::kCommit + "?page=2";
  hub_.intercept = [&](const HubRequest& request, HubReply usual) {
    if (request.target.ends_with("?recursive=true")) {
      usual.headers.push_back("Link: <" + next + ">; rel=\"next\"");
      usual.body = "[]";
    }
    return std::optional<HubReply>(usual);
  };
  EXPECT_TRUE(pull().ok());
  next = "http://127.0.0.2:9/x";
  EXPECT_EQ(pull().status().code(), StatusCode::kInvalidFile);
}

TEST_F(StoreTest, AnAnswerWithoutAnEndIsGivenUp) {
  options_.attempts_max = 1;
  const std::string endless(3 << 20, 'x');
  for (const int status : {302, 404, 500}) {
    hub_.intercept = [&](const HubRequest&, const HubReply&) {
      return std::optional<HubReply>(
          {.status = status, .headers = {"Location: /x"}, .body = endless, .announce = false});
    };
    const Status said = pull().status();
    EXPECT_NE(said.message().find("more than 1048576 bytes behind it"), std::string::npos)
        << status << said.message();
  }
  hub_.intercept = [&](const HubRequest&, HubReply usual) {
    usual.headers.assign(100, "X-Long: " + std::string(5000, 'x'));
    return std::optional<HubReply>(usual);
  };
  EXPECT_NE(pull().status().message().find("bytes of headers"), std::string::npos);
  hub_.intercept = [&](const HubRequest&, const HubReply&) {
    return std::optional<HubReply>({.body = "[" + std::string(9 << 20, ' ') + "]"});
  };
  EXPECT_NE(pull().status().message().find("more than 8388608 bytes"), std::string::npos);
  expect_nothing_finished();
}

TEST_F(StoreTest, AnAnswerThatDripsIsDropped) {
  options_.attempts_max = 1;
  options_.stall_s = 1;
  hub_.intercept = [&](const HubRequest&, const HubReply&) {
    return std::optional<HubReply>({.body = std::string(300, ' '), .drip_ms = 50});
  };
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_NE(pull().status().message().find("in 1 seconds"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST_F(StoreTest, AListingOfMoreFilesThanAnyRepositoryHasIsRefused) {
  const std::string more = hub_.url() + "/api/models/org/repo/tree/" + LoopbackHub::kCommit;
  std::string page = "[";
  for (int i = 0; i < 40000; ++i) {
    page += R"({"path":"f","size":1,"oid":")" + std::string(40, 'a') + "\"},";
  }
  page.back() = ']';
  hub_.intercept = [&](const HubRequest& request, HubReply usual) {
    if (request.target.find("/tree/") != std::string::npos) {
      usual.headers.push_back("Link: <" + more + ">; rel=\"next\"");
      usual.body = page;
    }
    return std::optional<HubReply>(usual);
  };
  EXPECT_EQ(pull().status().code(), StatusCode::kTooLarge);
}

TEST_F(StoreTest, SizesWhoseSumLeaves64BitsDoNotFitTheDisk) {
  hub_.files = {{.path = "m-00001-of-00002.gguf", .bytes = "1"},
                {.path = "m-00002-of-00002.gguf", .bytes = "2"}};
  hub_.intercept = [&](const HubRequest& request, HubReply usual) {
    Json tree = hub_.tree();
    for (Json& entry : tree) {
      if (entry.contains("lfs")) entry["lfs"]["size"] = 1ULL << 63;
    }
    if (request.target.find("/tree/") != std::string::npos) usual.body = tree.dump();
    return std::optional<HubReply>(usual);
  };
  EXPECT_NE(pull().status().message().find("more than 64 bits can count"), std::string::npos);
  EXPECT_TRUE(hub_.requests("/resolve/").empty());
}

// --- the token and redirects ---

TEST_F(StoreTest, TheTokenGoesToTheHubAndNotToWhereItRedirects) {
  LoopbackHub elsewhere;
  elsewhere.files = hub_.files;
  options_.token = "secret";
  spoil(1000, [&](const HubReply&) {
    return HubReply{.status = 302,
                    .headers = {"Location: " + elsewhere.url() + "/org/repo/resolve/" +
                                    LoopbackHub::kCommit + "/M-Q4_0.gguf",
                                "X-Linked-Size: 200000"}};
  });
  const auto report = pull();
  ASSERT_TRUE(report.ok()) << report.status().message();
  for (const HubRequest& request : hub_.requests()) {
    EXPECT_EQ(request.header("authorization"), "Bearer secret") << request.target;
  }
  ASSERT_EQ(elsewhere.requests().size(), 1U);
  EXPECT_EQ(elsewhere.requests()[0].header("authorization"), "");
}

TEST_F(StoreTest, WhatTheHubSaysBeforeItRedirectsIsHeldAgainstTheFile) {
  LoopbackHub elsewhere;
  elsewhere.files = hub_.files;
  spoil(1000, [&](const HubReply&) {
    return HubReply{.status = 302,
                    .headers = {"Location: " + elsewhere.url() + "/org/repo/resolve/" +
                                    LoopbackHub::kCommit + "/M-Q4_0.gguf",
                                "X-Linked-Size: 199999"}};
  });
  EXPECT_EQ(pull().status().code(), StatusCode::kInvalidFile);
  expect_nothing_finished();
}

TEST_F(StoreTest, ARelativeRedirectKeepsTheTokenAndACircleEnds) {
  options_.token = "secret";
  hub_.intercept = [&](const HubRequest& request, HubReply usual) {
    if (request.target.find("/resolve/") == std::string::npos) {
      return std::optional<HubReply>(usual);
    }
    return std::optional<HubReply>({.status = 307, .headers = {"Location: " + request.target}});
  };
  options_.attempts_max = 1;
  const Status status = pull().status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_NE(status.message().find("10 redirects"), std::string::npos) << status.message();
  EXPECT_EQ(hub_.requests("/resolve/").back().header("authorization"), "Bearer secret");
}

TEST_F(StoreTest, ARedirectToAFileOnThisMachineIsRefused) {
  spoil(1000, [](const HubReply&) {
    return HubReply{.status = 302, .headers = {"Location: file:///etc/passwd"}};
  });
  EXPECT_FALSE(pull().ok());
  expect_nothing_finished();
}

// --- the disk and other processes ---

// A limit on the size of files stands for the full disk: the same call fails in the same place.
TEST_F(StoreTest, ADiskThatTakesNoMoreIsAnErrorWithThePath) {
  rlimit former = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &former), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = former;
  small.rlim_cur = 100000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status status = pull().status();
  ::setrlimit(RLIMIT_FSIZE, &former);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(status.code(), StatusCode::kIo) << status.message();
  EXPECT_NE(status.message().find(blob() + ".part: cannot write"), std::string::npos)
      << status.message();
  expect_nothing_finished();
  const auto report = pull();
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(hub_.requests("/resolve/")[1].header("range"), "bytes=100000-");
}

TEST_F(StoreTest, AFolderThatCanNotBeMadeIsAnErrorWithThePath) {
  write(options_.folder, "a file where the folder should be");
  const Status status = pull().status();
  EXPECT_EQ(status.code(), StatusCode::kIo) << status.message();
  EXPECT_NE(status.message().find(options_.folder), std::string::npos);
}

TEST_F(StoreTest, AFileThatAnotherProcessFetchesIsLeftToIt) {
  write(blob() + ".part", "");
  const FileDescriptor other(::open((blob() + ".part").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(other.get(), LOCK_EX), 0);
  const Status status = pull().status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_NE(status.message().find("another process"), std::string::npos);
}

TEST_F(StoreTest, AStoppedPullKeepsWhatCameAndIsResumed) {
  std::stop_source stop;
  sink_.then = [&](const PullProgress& progress) {
    if (progress.bytes >= 20000) stop.request_stop();
  };
  spoil(1, [](HubReply reply) {
    reply.stall_ms = 3000;
    return reply;
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto stopped = store().pull({.model = "org/repo", .stop = stop.get_token()}, sink_);
  EXPECT_EQ(stopped.status().code(), StatusCode::kCancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(2500));
  expect_nothing_finished();
  const std::uint64_t kept = fs::file_size(blob() + ".part");
  EXPECT_GE(kept, 20000U);

  sink_.then = nullptr;
  const auto report = pull();
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->files[0].fetched_bytes, 200000U - kept);
  EXPECT_EQ(*read_file(report->path, 1U << 20), hub_.files[0].bytes);
}

TEST_F(StoreTest, AWaitForTheNextTryCanBeStopped) {
  options_.retry_ms = 60000;
  std::stop_source stop;
  hub_.intercept = [&](const HubRequest&, const HubReply&) {
    return std::optional<HubReply>({.status = 500});
  };
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  const auto status = store().pull({.model = "org/repo", .stop = stop.get_token()}, sink_).status();
  EXPECT_EQ(status.code(), StatusCode::kCancelled);
}

// --- what is here ---

TEST_F(StoreTest, AnExistingHubCacheIsUsedAndNotWritten) {
  options_.hub_cache = folder_ + "/hub";
  const std::string repository = options_.hub_cache + "/models--org--repo";
  const std::string snapshot = repository + "/snapshots/" + LoopbackHub::kCommit;
  write(repository + "/blobs/x", hub_.files[0].bytes);
  write(repository + "/blobs/y.incomplete", "half");
  write(repository + "/refs/main", LoopbackHub::kCommit);
  fs::create_directories(snapshot);
  fs::create_symlink("../../blobs/x", snapshot + "/M-Q4_0.gguf");
  fs::create_symlink("../../blobs/gone", snapshot + "/M-Q8_0.gguf");

  const auto report = pull();
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->path, snapshot + "/M-Q4_0.gguf");
  EXPECT_TRUE(hub_.requests("/resolve/").empty());
  EXPECT_FALSE(fs::exists(options_.folder));
  EXPECT_EQ(*store().resolve("org/repo"), report->path);
  ASSERT_EQ(store().list()->size(), 1U);
  EXPECT_EQ((*store().list())[0].commit, LoopbackHub::kCommit);
}

TEST_F(StoreTest, OfflineNothingIsAskedOfTheHub) {
  ASSERT_TRUE(pull().ok());
  const std::size_t before = hub_.requests().size();
  options_.network = Network::kOffline;
  const auto report = pull();
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->commit, LoopbackHub::kCommit);
  const Status status = pull("org/other").status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_NE(status.message().find("offline"), std::string::npos);
  EXPECT_EQ(hub_.requests().size(), before);
}

TEST_F(StoreTest, PlainFilesHaveTheirNameAndUnfinishedOnesHaveNone) {
  write(options_.folder + "/tiny.gguf", "12345");
  write(options_.folder + "/sub/deep.gguf", "1");
  write(options_.folder + "/half.gguf.part", "1");
  write(options_.folder + "/big-00002-of-00002.gguf", "1");
  write(options_.folder + "/big-00001-of-00002.gguf", "1");
  write(options_.folder + "/notes.txt", "1");
  const auto entries = store().list();
  ASSERT_EQ(entries->size(), 3U);
  EXPECT_EQ((*entries)[0].name, "big");
  EXPECT_EQ((*entries)[1].name, "sub/deep");
  EXPECT_EQ((*entries)[2].name, "tiny");
  for (const StoreEntry& entry : *entries) EXPECT_EQ(*store().resolve(entry.name), entry.path);
  EXPECT_EQ(*store().resolve("big"), options_.folder + "/big-00001-of-00002.gguf");
  EXPECT_EQ(store().resolve("half").status().code(), StatusCode::kNotFound);
}

TEST_F(StoreTest, APathThatExistsIsItselfAndOthersAreNotFoundWithAdvice) {
  write(folder_ + "/a.gguf", "1");
  EXPECT_EQ(*store().resolve(folder_ + "/a.gguf"), folder_ + "/a.gguf");
  const auto message = [&](std::string_view model) {
    const Status status = store().resolve(model).status();
    EXPECT_EQ(status.code(), StatusCode::kNotFound) << model;
    return status.message();
  };
  EXPECT_NE(message("./none.gguf").find("no such file"), std::string::npos);
  EXPECT_NE(message("tiny").find("cairn list"), std::string::npos);
  EXPECT_NE(message("org/none").find("cairn pull org/none"), std::string::npos);
  EXPECT_NE(message("").find("no such file"), std::string::npos);
}

TEST_F(StoreTest, AMisspeltNameIsAnsweredWithTheOneThatIsHere) {
  write(options_.folder + "/mymodel.gguf", "1");
  ASSERT_TRUE(pull().ok());
  for (const std::string_view model : {"mymodl", "mymodel.gguf", "/elsewhere/MyModel.gguf"}) {
    const std::string message = store().resolve(model).status().message();
    EXPECT_NE(message.find("no such file, and no model of this name is in " + options_.folder),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("did you mean 'mymodel'?"), std::string::npos) << message;
  }
  const std::string message = store().resolve("org/rpeo").status().message();
  EXPECT_NE(message.find("did you mean 'org/repo'?"), std::string::npos) << message;
}

TEST_F(StoreTest, AnEmptyStoreHasNoModels) { EXPECT_TRUE(store().list()->empty()); }

TEST_F(StoreTest, AFolderThatCannotBeLookedAtIsNotAnEmptyOne) {
  ASSERT_EQ(::symlink("store", options_.folder.c_str()), 0);  // a circle
  const Status status = store().list().status();
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_NE(status.message().find(options_.folder), std::string::npos) << status.message();
  EXPECT_EQ(store().resolve("org/repo").status().code(), StatusCode::kIo);
  EXPECT_EQ(*store().resolve(options_.folder), options_.folder) << "opening it says why it fails";
}

TEST_F(StoreTest, ARefThatIsNoFileIsNotWaitedFor) {
  ASSERT_TRUE(pull().ok());
  const std::string ref = options_.folder + "/models--org--repo/refs/main";
  fs::remove(ref);
  ASSERT_EQ(::mkfifo(ref.c_str(), 0600), 0);
  EXPECT_TRUE(store().resolve("org/repo").ok());
  EXPECT_EQ(store().list()->size(), 1U);
  fs::remove(ref);
  write(ref, std::string(5000, 'x'));
  EXPECT_EQ(store().resolve("org/repo").status().code(), StatusCode::kTooLarge);
}

TEST_F(StoreTest, SeveralCommitsAreToldApart) {
  const std::string repository = options_.folder + "/models--org--repo";
  const std::string a(40, 'a');
  const std::string b(40, 'b');
  write(repository + "/snapshots/" + a + "/m.gguf", "1");
  write(repository + "/snapshots/" + b + "/m.gguf", "22");
  const Status status = store().resolve("org/repo").status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("@" + a.substr(0, 12)), std::string::npos) << status.message();
  const auto entries = store().list();
  ASSERT_EQ(entries->size(), 2U);
  for (const StoreEntry& entry : *entries) EXPECT_EQ(*store().resolve(entry.name), entry.path);
  write(repository + "/refs/main", b);
  EXPECT_EQ(*store().resolve("org/repo"), repository + "/snapshots/" + b + "/m.gguf");
  const auto again = store().list();
  for (const StoreEntry& entry : *again) {
    EXPECT_EQ(*store().resolve(entry.name), entry.path);
  }
}

TEST_F(StoreTest, OptionsThatCanNotWorkAreRefused) {
  const auto refused = [&](auto change) {
    StoreOptions options = options_;
    change(options);
    return Store::open(options).status().code();
  };
  for (const std::string endpoint :
       {"", "huggingface.co/x?y", "ftp://hub", "file:///etc", "http://"}) {
    EXPECT_EQ(refused([&](StoreOptions& o) { o.endpoint = endpoint; }),
              StatusCode::kInvalidArgument)
        << endpoint;
  }
  EXPECT_EQ(refused([](StoreOptions& o) { o.token = "a\r\nX: y"; }), StatusCode::kInvalidArgument);
  EXPECT_EQ(refused([](StoreOptions& o) { o.folder = ""; }), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace cairn::runtime
