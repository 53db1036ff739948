#include "server/batch/batches.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "server/batch/split_results.h"

namespace cairn::server {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kBatchRecordBytesMax = 4 << 20;

bool has_ended(const Json& batch) {
  const Json& status = batch["status"];
  return status == "completed" || status == "failed" || status == "expired" ||
         status == "cancelled";
}

Json new_batch(const BatchWish& wish, std::int64_t now_s, std::int64_t ends_s) {
  Json batch = {{"id", drawn_name("batch_")},
                {"object", "batch"},
                {"endpoint", wish.endpoint},
                {"errors", nullptr},
                {"input_file_id", wish.input_file_id},
                {"completion_window", "24h"},
                {"status", "validating"},
                {"output_file_id", nullptr},
                {"error_file_id", nullptr},
                {"created_at", now_s},
                {"expires_at", ends_s}};
  for (const char* name : {"in_progress_at", "finalizing_at", "completed_at", "failed_at",
                           "expired_at", "cancelling_at", "cancelled_at"}) {
    batch[name] = nullptr;
  }
  batch["request_counts"] = {{"total", 0}, {"completed", 0}, {"failed", 0}};
  batch["metadata"] = wish.metadata.is_null() ? Json::object() : wish.metadata;
  return batch;
}

bool is_batch(const Json& batch, const std::string& name) {
  for (const char* key : {"id", "status", "endpoint", "input_file_id"}) {
    if (!batch.is_object() || !batch.contains(key) || !batch[key].is_string()) return false;
  }
  for (const char* key : {"created_at", "expires_at"}) {
    if (!batch.contains(key) || !batch[key].is_number_integer()) return false;
  }
  return batch["id"] == name;
}

}  // namespace

Batches::Batches(std::string folder, FileStore& files, Limits limits)
    : folder_(std::move(folder)), files_(files), limits_(std::move(limits)) {
  if (!limits_.clock_s) limits_.clock_s = &utc_s;
}

Result<std::unique_ptr<Batches>> Batches::open(const std::string& folder, FileStore& files,
                                               const Limits& limits) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return io_error(fmt::format("{}: cannot be made: {}", folder, error.message()));
  std::unique_ptr<Batches> batches(new Batches(folder, files, limits));
  CAIRN_TRY(batches->read());
  return batches;
}

Status Batches::read() {
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != ".json") continue;
    CAIRN_ASSIGN(const std::string text, read_file(at->path().string(), kBatchRecordBytesMax));
    Result<Json> batch = parse_json(text);
    const std::string name = at->path().stem().string();
    if (!batch.ok() || !is_batch(*batch, name)) {
      return invalid_file(at->path().string() +
                          ": no record of a batch, expected one that this program wrote");
    }
    std::error_code none;  // what an end between two writes left
    if (has_ended(*batch)) fs::remove(results_path(name), none);
    batches_[name] = std::move(*batch);
  }
  if (error) return io_error(fmt::format("{}: cannot be read: {}", folder_, error.message()));
  return {};
}

Status Batches::save(const Json& batch) const {
  return write_file_whole(record_path(batch["id"]), line_of(batch));
}

Status Batches::set(const std::string& id, const Json& changes) {
  const std::scoped_lock lock(mutex_);
  Json& batch = batches_.at(id);
  batch.update(changes);
  return save(batch);
}

/// Of those that have ended the oldest go.
void Batches::forget_old() {
  std::vector<std::pair<std::int64_t, std::string>> ended;
  for (const auto& [id, batch] : batches_) {
    if (has_ended(batch)) ended.emplace_back(batch["created_at"].get<std::int64_t>(), id);
  }
  if (ended.size() <= limits_.kept) return;
  std::ranges::sort(ended);
  for (std::size_t i = 0; i + limits_.kept < ended.size(); ++i) {
    std::error_code ignored;  // what stays behind is read again at the next start
    fs::remove(record_path(ended[i].second), ignored);
    batches_.erase(ended[i].second);
  }
}

Result<Json> Batches::create(const BatchWish& wish) {
  const std::vector<std::string_view> known = batch_urls();
  if (std::ranges::find(known, wish.endpoint) == known.end()) {
    return invalid_argument(fmt::format("endpoint: \"{}\" was found; {} is expected", wish.endpoint,
                                        fmt::join(known, " or ")));
  }
  if (!files_.find(wish.input_file_id)) {
    return not_found(fmt::format("input_file_id: no file is called \"{}\"", wish.input_file_id));
  }
  const std::scoped_lock lock(mutex_);
  const auto waiting =
      std::ranges::count_if(batches_, [](const auto& each) { return !has_ended(each.second); });
  if (static_cast<std::size_t>(waiting) >= limits_.waiting) {
    return unavailable(fmt::format("{} batches wait, accepted are {}", waiting, limits_.waiting));
  }
  const std::int64_t now_s = limits_.clock_s();
  Json batch = new_batch(wish, now_s, now_s + limits_.seconds);
  CAIRN_TRY(save(batch));
  batches_[batch["id"].get<std::string>()] = batch;
  forget_old();
  changed_.notify_all();
  return batch;
}

std::optional<Json> Batches::find(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  const auto found = batches_.find(id);
  return found == batches_.end() ? std::nullopt : std::optional(found->second);
}

Json Batches::list() {
  const std::scoped_lock lock(mutex_);
  std::vector<const Json*> all;
  for (const auto& [id, batch] : batches_) all.push_back(&batch);
  std::ranges::stable_sort(
      all, {}, [](const Json* batch) { return (*batch)["created_at"].get<std::int64_t>(); });
  Json list = Json::array();
  for (const Json* batch : all) list.push_back(*batch);
  return list;
}

Result<std::optional<Json>> Batches::cancel(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  const auto found = batches_.find(id);
  if (found == batches_.end()) return std::optional<Json>();
  Json& batch = found->second;
  if (has_ended(batch) || batch["status"] == "finalizing") {
    return invalid_argument(fmt::format("batch \"{}\" is {}; only one that runs can be cancelled",
                                        id, batch["status"].get<std::string>()));
  }
  batch["status"] = "cancelling";
  batch["cancelling_at"] = limits_.clock_s();
  CAIRN_TRY(save(batch));
  return std::optional<Json>(batch);
}

/// The oldest that has not ended; nothing once `stop` asks for the end.
std::optional<std::string> Batches::next(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  std::optional<std::string> oldest;
  const auto look = [&] {
    std::int64_t created_s = 0;
    for (const auto& [id, batch] : batches_) {
      const auto its_s = batch["created_at"].get<std::int64_t>();
      if (has_ended(batch) || (oldest && its_s >= created_s)) continue;
      oldest = id;
      created_s = its_s;
    }
    return oldest.has_value();
  };
  changed_.wait(lock, stop, look);
  return stop.stop_requested() ? std::nullopt : oldest;
}

void Batches::serve(const Api& api, const std::stop_token& stop) {
  while (const std::optional<std::string> id = next(stop)) {
    const Status status = work(api, *id, stop);
    if (!status.ok() && !stop.stop_requested()) fail(*id, status);
  }
}

/// What a client reads of it; a record that cannot be written is tried again at the next start.
void Batches::fail(const std::string& id, const Status& status) {
  const Json error = {
      {"code", "invalid_batch"}, {"message", told(status)}, {"param", nullptr}, {"line", nullptr}};
  (void)set(id, {{"status", "failed"},
                 {"failed_at", limits_.clock_s()},
                 {"errors", {{"object", "list"}, {"data", Json::array({error})}}}});
}

Status Batches::check_lines(const Json& batch, const BatchFile& file) const {
  if (file.lines().size() > limits_.lines) {
    return invalid_argument(fmt::format("the file has {} requests, accepted are {}",
                                        file.lines().size(), limits_.lines));
  }
  const std::string endpoint = batch["endpoint"];
  for (const BatchLine& line : file.lines()) {
    if (line.url == endpoint) continue;
    return invalid_argument(fmt::format("line {}: url is \"{}\", the batch's endpoint is {}",
                                        line.number, line.url, endpoint));
  }
  return {};
}

/// Whether it was cancelled, or its time is over.
bool Batches::must_end(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  const Json& batch = batches_.at(id);
  return batch["status"] == "cancelling" ||
         batch["expires_at"].get<std::int64_t>() <= limits_.clock_s();
}

Status Batches::work(const Api& api, const std::string& id, const std::stop_token& stop) {
  const Json batch = *find(id);
  const std::string input = batch["input_file_id"];
  if (!files_.find(input)) return not_found(fmt::format("the file {} is no more", input));
  Result<BatchFile> file = BatchFile::open(files_.content_path(input));
  // The path is this machine's: a client knows the file by its id.
  if (!file.ok()) {
    std::string message = file.status().message();
    const std::string path = files_.content_path(input) + ": ";
    if (message.starts_with(path)) message.erase(0, path.size());
    return invalid_argument(message);
  }
  CAIRN_TRY(check_lines(batch, *file));
  CAIRN_ASSIGN(BatchResults results, BatchResults::open(results_path(id)));
  if (!must_end(id)) CAIRN_TRY(run(api, batch, *file, results, stop));
  if (stop.stop_requested()) return {};
  return finish(id, *file, results);
}

Status Batches::run(const Api& api, const Json& batch, const BatchFile& file, BatchResults& results,
                    const std::stop_token& stop) {
  const std::string id = batch["id"];
  if (batch["status"] == "validating") {
    CAIRN_TRY(set(id, {{"status", "in_progress"}, {"in_progress_at", limits_.clock_s()}}));
  }
  CAIRN_ASSIGN(BatchTotals totals, count_done(file, results));
  // Half of the places stay free for those who wait for their answers.
  BatchRunner runner(api, results,
                     {.in_hand_max = std::max<std::size_t>(1, api.model.sequences / 2),
                      .stop_asked = [&] { return stop.stop_requested() || must_end(id); },
                      .progress =
                          [&](const BatchTotals& now) {
                            const std::scoped_lock lock(mutex_);
                            batches_.at(id)["request_counts"] = {
                                {"total", now.requests},
                                {"completed", now.done_before + now.completed},
                                {"failed", now.failed}};
                          }});
  const Status status = runner.run(file, totals);
  return status.code() == StatusCode::kCancelled ? Status() : status;
}

/// Results become files, those that are errors one of their own.
Status Batches::finish(const std::string& id, const BatchFile& file, const BatchResults& results) {
  const Json batch = *find(id);
  const bool cancelled = batch["status"] == "cancelling";
  CAIRN_ASSIGN(const SplitResults split,
               split_results(file, results, results_path(id),
                             cancelled ? "batch_cancelled" : "batch_expired"));
  const bool whole = split.unanswered == 0;
  if (!cancelled) {
    CAIRN_TRY(set(id, {{"status", "finalizing"}, {"finalizing_at", limits_.clock_s()}}));
  }
  Json changes = {{"request_counts",
                   {{"total", file.lines().size()},
                    {"completed", split.answered},
                    {"failed", file.lines().size() - split.answered}}}};
  const auto keep = [&](const char* key, const char* what, const std::string& text) -> Status {
    if (text.empty()) return {};
    CAIRN_ASSIGN(const StoredFile stored, files_.add(fmt::format("{}_{}.jsonl", id, what),
                                                     "batch_output", limits_.result_seconds, text));
    changes[key] = stored.id;
    return {};
  };
  CAIRN_TRY(keep("output_file_id", "output", split.output));
  CAIRN_TRY(keep("error_file_id", "error", split.errors));
  const std::string status = cancelled ? "cancelled" : (whole ? "completed" : "expired");
  changes["status"] = status;
  changes[status + "_at"] = limits_.clock_s();
  CAIRN_TRY(set(id, changes));
  std::error_code ignored;  // the results are in the files now
  fs::remove(results_path(id), ignored);
  return {};
}

}  // namespace cairn::server
