// GET /props and /slots.
#include <fmt/core.h>

#include "server/api/handling.h"

namespace cairn::server {

Reply get_props(const Api& api, Exchange& /*exchange*/) {
  const runtime::ModelFacts& facts = api.model.runtime->facts();
  const runtime::SamplingParams& sampling = api.model.runtime->default_sampling();
  const Json params = {{"temperature", sampling.temperature},
                       {"top_k", sampling.top_k},
                       {"top_p", sampling.top_p},
                       {"min_p", sampling.min_p},
                       {"repeat_penalty", sampling.repetition_penalty}};
  const std::string_view calls =
      api.syntax.calls == nullptr ? std::string_view() : api.syntax.calls->name;
  return json_response(
      {{"default_generation_settings", {{"n_ctx", facts.context}, {"params", params}}},
       {"total_slots", api.model.sequences},
       {"model_alias", api.model.name},
       {"chat_template", api.model.runtime->chat_template()},
       {"modalities", {{"vision", false}, {"audio", false}}},
       {"tools", {{"taken", api.syntax.takes_tools}, {"syntax", calls}}},
       {"reasoning", api.syntax.think.has_value()},
       {"build_info", fmt::format("cairn {}", CAIRN_VERSION)}});
}

Reply get_slots(const Api& api, Exchange& exchange) {
  const runtime::Activity activity = api.model.runtime->activity();
  if (exchange.request.parameter("fail_on_no_slot") == "1" &&
      activity.running >= api.model.sequences) {
    return error_response(
        Flavour::kLlama,
        {.cause = Cause::kLoading, .message = "no slot is free", .code = "no_slot_available"});
  }
  Json slots = Json::array();
  for (std::uint64_t i = 0; i < api.model.sequences; ++i) {
    slots.push_back({{"id", i},
                     {"n_ctx", api.model.runtime->facts().context},
                     {"is_processing", i < activity.running}});
  }
  return json_response(slots);
}

}  // namespace cairn::server
