#include "server/models/with_model.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "server/models/asked_model.h"

namespace cairn::server {
namespace {

/// A model's turn and what handlers see of it, for as long as a reply needs them.
struct ModelInUse {
  std::shared_ptr<Turn> turn = {};
  Api view = {};
};

Reply holding(std::shared_ptr<ModelInUse> model, Reply reply);

class HoldingAnswer final : public PendingAnswer {
 public:
  HoldingAnswer(std::shared_ptr<ModelInUse> model, std::unique_ptr<PendingAnswer> answer)
      : model_(std::move(model)), answer_(std::move(answer)) {}

  std::optional<Reply> poll() override {
    std::optional<Reply> reply = answer_->poll();
    if (!reply) return std::nullopt;
    return holding(model_, std::move(*reply));
  }
  Response end_early(EndReason reason) override { return answer_->end_early(reason); }

 private:
  std::shared_ptr<ModelInUse> model_;
  std::unique_ptr<PendingAnswer> answer_;
};

class HoldingEvents final : public EventSource {
 public:
  HoldingEvents(std::shared_ptr<ModelInUse> model, std::unique_ptr<EventSource> events)
      : model_(std::move(model)), events_(std::move(events)) {}

  Pulled pull(std::string& out, std::size_t bytes_wanted) override {
    return events_->pull(out, bytes_wanted);
  }
  void end_early(std::string& out, EndReason reason) override { events_->end_early(out, reason); }

 private:
  std::shared_ptr<ModelInUse> model_;
  std::unique_ptr<EventSource> events_;
};

/// The reply, with the model kept until it is destroyed.
Reply holding(std::shared_ptr<ModelInUse> model, Reply reply) {
  if (auto* const pending = std::get_if<std::unique_ptr<PendingAnswer>>(&reply)) {
    return std::make_unique<HoldingAnswer>(std::move(model), std::move(*pending));
  }
  if (auto* const stream = std::get_if<EventStream>(&reply)) {
    stream->source = std::make_unique<HoldingEvents>(std::move(model), std::move(stream->source));
  }
  return reply;
}

/// Until the turn has come; then the handler is called again.
class WaitingForModel final : public PendingAnswer {
 public:
  WaitingForModel(Flavour flavour, std::shared_ptr<Turn> turn, Exchange exchange)
      : flavour_(flavour), turn_(std::move(turn)), exchange_(std::move(exchange)) {
    exchange_.held = turn_;
  }

  std::optional<Reply> poll() override {
    if (!turn_->over()) return std::nullopt;
    return CallAgain{std::make_shared<Exchange>(std::move(exchange_))};
  }
  Response end_early(EndReason /*reason*/) override {
    return error_response(flavour_, {.cause = Cause::kDraining, .message = "the server stops"});
  }

 private:
  Flavour flavour_;
  std::shared_ptr<Turn> turn_;
  Exchange exchange_;
};

/// Paths of files are nothing for clients: the log has the whole reason.
Response cannot_load(Flavour flavour, const std::string& name, const Status& status) {
  const bool full = status.code() == StatusCode::kTooLarge;
  return error_response(
      flavour,
      {.cause = Cause::kInternal,
       .message = fmt::format("the model \"{}\" cannot be loaded{}; the server's log says why",
                              name, full ? ": its memory plan does not fit" : ""),
       .param = "model",
       .code = "model_load_failed"});
}

Reply call_with(const Api& api, const EndpointRow& row, Exchange& exchange,
                const std::shared_ptr<Turn>& turn, const LoadedModel& model) {
  auto in_use = std::make_shared<ModelInUse>(ModelInUse{.turn = turn, .view = api});
  in_use->view.model = model.served;
  in_use->view.syntax = model.syntax;
  Reply reply = row.handler(in_use->view, exchange);
  return holding(std::move(in_use), std::move(reply));
}

}  // namespace

bool uses_model(const EndpointRow& row) { return row.model == NeedsModel::kYes; }

WireError unknown_model(const Api& api, const std::string& name) {
  std::vector<std::string> names;
  for (const ModelStatus& model : models_of(api)) names.push_back(model.name);
  return {.cause = Cause::kNotFound,
          .message =
              fmt::format("no model is called \"{}\"; there is: {}", name, fmt::join(names, ", ")),
          .param = "model",
          .code = "model_not_found"};
}

Reply with_model(const Api& api, const EndpointRow& row, Exchange& exchange) {
  if (api.models == nullptr) return row.handler(api, exchange);
  auto turn = std::static_pointer_cast<Turn>(std::exchange(exchange.held, nullptr));
  const std::string name =
      asked_model(exchange.request.body).value_or(api.models->sources().front().name);
  if (turn == nullptr) {
    const std::optional<std::size_t> index = api.models->find(name);
    if (!index) return error_response(row.flavour, unknown_model(api, name));
    if (!api.models->comes_at_once(*index)) {
      // What is refused anyway is no reason to load a model.
      const ParsedRequest parsed =
          parse_request(*row.fields, exchange.request.body, api.strictness);
      if (parsed.error) return error_response(row.flavour, *parsed.error);
    }
    turn = api.models->ask(*index, TurnKind::kUse, exchange.waker);
  }
  if (!turn->over()) {
    return std::make_unique<WaitingForModel>(row.flavour, turn, std::move(exchange));
  }
  const Result<std::shared_ptr<const LoadedModel>> model = turn->model();
  if (!model.ok()) return cannot_load(row.flavour, name, model.status());
  return call_with(api, row, exchange, turn, **model);
}

std::vector<ModelStatus> models_of(const Api& api) {
  if (api.models != nullptr) return api.models->status();
  return {{.name = api.model.name,
           .state = ModelState::kLoaded,
           .loaded = std::make_shared<const LoadedModel>(
               LoadedModel{.served = api.model, .syntax = api.syntax})}};
}

std::optional<ModelStatus> asked_status(const Api& api, const Request& request) {
  std::vector<ModelStatus> models = models_of(api);
  const std::optional<std::string> name = request.parameter("model");
  auto found = models.begin();
  if (name) {
    found = std::ranges::find(models, *name, &ModelStatus::name);
  } else {
    const auto answers = [](const ModelStatus& model) { return model.requests > 0; };
    const auto is_loaded = [](const ModelStatus& model) { return model.loaded != nullptr; };
    found = std::ranges::find_if(models, answers);
    if (found == models.end()) found = std::ranges::find_if(models, is_loaded);
    if (found == models.end()) found = models.begin();
  }
  if (found == models.end()) return std::nullopt;
  return std::move(*found);
}

}  // namespace cairn::server
