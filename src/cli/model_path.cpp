#include "cli/model_path.h"

#include "cli/environment.h"

namespace cairn::cli {
namespace {

/// Where the hub's own tools keep what they fetched.
std::string hub_cache() {
  if (const auto folder = environment("HF_HUB_CACHE")) return *folder;
  if (const auto home = environment("HF_HOME")) return *home + "/hub";
  const auto cache = environment("XDG_CACHE_HOME");
  return cache ? *cache + "/huggingface/hub"
               : environment("HOME").value_or(".") + "/.cache/huggingface/hub";
}

bool is_on(const std::string& value) {
  return value == "1" || value == "true" || value == "TRUE" || value == "on" || value == "ON" ||
         value == "yes" || value == "YES";
}

std::string proxy_for(const std::string& endpoint) {
  const bool secure = endpoint.starts_with("https:");
  for (const char* name : {secure ? "https_proxy" : "http_proxy", "all_proxy"}) {
    if (const auto proxy = environment(name)) return *proxy;
  }
  return {};
}

}  // namespace

Result<runtime::Store> open_store() {
  runtime::StoreOptions options;
  options.folder = home_folder() + "/models";
  options.hub_cache = hub_cache();
  if (const auto endpoint = environment("HF_ENDPOINT")) options.endpoint = *endpoint;
  if (const auto token = environment("HF_TOKEN")) options.token = *token;
  if (is_on(environment("HF_HUB_OFFLINE").value_or(""))) {
    options.network = runtime::Network::kOffline;
  }
  options.proxy = proxy_for(options.endpoint);
  return runtime::Store::open(std::move(options));
}

std::string packed_folder() { return home_folder() + "/packed"; }

Result<std::string> model_path(const std::string& model) {
  CAIRN_ASSIGN(const runtime::Store store, open_store());
  return store.resolve(model);
}

}  // namespace cairn::cli
