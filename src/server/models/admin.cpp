// POST /models/load and /models/unload, as llama.cpp's router has them.
#include <utility>

#include "server/api/handling.h"
#include "server/models/with_model.h"

namespace cairn::server {
namespace {

Response refuse_admin(const WireError& error) { return error_response(Flavour::kLlama, error); }

class AdminTurn final : public PendingAnswer {
 public:
  explicit AdminTurn(std::shared_ptr<Turn> turn) : turn_(std::move(turn)) {}

  std::optional<Reply> poll() override {
    if (!turn_->over()) return std::nullopt;
    const auto model = turn_->model();
    if (model.ok()) return json_response({{"success", true}});
    return refuse_admin({.cause = Cause::kInternal,
                         .message = "the model cannot be loaded; the server's log says why",
                         .code = "model_load_failed"});
  }
  Response end_early(EndReason /*reason*/) override {
    return refuse_admin({.cause = Cause::kDraining, .message = "the server stops"});
  }

 private:
  std::shared_ptr<Turn> turn_;
};

Reply take_turn(const Api& api, Exchange& exchange, Endpoint endpoint, TurnKind kind) {
  ParsedRequest parsed = parse_request(endpoint, exchange.request.body, api.strictness);
  if (parsed.error) return refuse_admin(*parsed.error);
  if (api.models == nullptr) {
    return refuse_admin({.cause = Cause::kNotImplemented,
                         .message = "the one model of this program is always loaded"});
  }
  const std::string name = parsed.request.model.value_or("");
  const std::optional<std::size_t> index = api.models->find(name);
  if (!index) return refuse_admin(unknown_model(api, name));
  return std::make_unique<AdminTurn>(api.models->ask(*index, kind, exchange.waker));
}

}  // namespace

Reply load_model(const Api& api, Exchange& exchange) {
  return take_turn(api, exchange, Endpoint::kLoadModel, TurnKind::kUse);
}

Reply unload_model(const Api& api, Exchange& exchange) {
  return take_turn(api, exchange, Endpoint::kUnloadModel, TurnKind::kUnload);
}

}  // namespace cairn::server
