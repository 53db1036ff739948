// GET /props and /slots.
#include <fmt/core.h>

#include "server/api/handling.h"
#include "server/models/with_model.h"

namespace cairn::server {
namespace {

Json default_settings(const runtime::Runtime& model) {
  const runtime::SamplingParams& sampling = model.default_sampling();
  const Json params = {{"temperature", sampling.temperature},
                       {"top_k", sampling.top_k},
                       {"top_p", sampling.top_p},
                       {"min_p", sampling.min_p},
                       {"repeat_penalty", sampling.repetition_penalty}};
  return {{"n_ctx", model.facts().context}, {"params", params}};
}

/// Adds what is known of a model that is loaded.
void add_model(Json& props, const LoadedModel& model) {
  const Syntax& syntax = model.syntax;
  const std::string_view calls = syntax.calls == nullptr ? std::string_view() : syntax.calls->name;
  props["default_generation_settings"] = default_settings(*model.served.runtime);
  props["total_slots"] = model.served.sequences;
  props["chat_template"] = model.served.runtime->chat_template();
  props["modalities"] = {{"vision", false}, {"audio", false}};
  props["tools"] = {{"taken", syntax.takes_tools}, {"syntax", calls}};
  props["reasoning"] = syntax.think.has_value();
}

Response unknown(const Api& api, const Request& request) {
  return error_response(Flavour::kLlama,
                        unknown_model(api, request.parameter("model").value_or("")));
}

}  // namespace

Reply get_props(const Api& api, Exchange& exchange) {
  const std::optional<ModelStatus> model = asked_status(api, exchange.request);
  if (!model) return unknown(api, exchange.request);
  Json props = {{"model_alias", model->name},
                {"status", {{"value", name_of(model->state)}}},
                {"build_info", fmt::format("cairn {}", CAIRN_VERSION)}};
  if (model->loaded != nullptr) add_model(props, *model->loaded);
  return json_response(props);
}

Reply get_slots(const Api& api, Exchange& exchange) {
  const std::optional<ModelStatus> model = asked_status(api, exchange.request);
  if (!model) return unknown(api, exchange.request);
  Json slots = Json::array();
  if (model->loaded == nullptr) return json_response(slots);
  const ServedModel& served = model->loaded->served;
  const runtime::Activity activity = served.runtime->activity();
  if (exchange.request.parameter("fail_on_no_slot") == "1" &&
      activity.running >= served.sequences) {
    return error_response(
        Flavour::kLlama,
        {.cause = Cause::kLoading, .message = "no slot is free", .code = "no_slot_available"});
  }
  for (std::uint64_t i = 0; i < served.sequences; ++i) {
    slots.push_back({{"id", i},
                     {"model", model->name},
                     {"n_ctx", served.runtime->facts().context},
                     {"is_processing", i < activity.running}});
  }
  return json_response(slots);
}

}  // namespace cairn::server
