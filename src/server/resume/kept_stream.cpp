#include "server/resume/kept_stream.h"

#include <charconv>
#include <utility>

#include "server/api/handling.h"
#include "server/resume/stream_keeper.h"

namespace cairn::server {
namespace {

constexpr std::string_view kConversation = "x-conversation-id";
constexpr std::string_view kLastEvent = "last-event-id";
constexpr std::size_t kConversationBytesMax = 256;

/// Clients with different keys do not see each other's streams.
StreamName name_for(const Request& request, std::string conversation) {
  std::string owner(request.header("authorization").value_or(""));
  owner.append("\n").append(request.header("x-api-key").value_or(""));
  return {.conversation = std::move(conversation), .owner = std::move(owner)};
}

/// A whole number, the whole of the text.
std::optional<std::uint64_t> whole(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Response bad(Flavour flavour, std::string param, std::string message) {
  return error_response(
      flavour,
      {.cause = Cause::kBadRequest, .message = std::move(message), .param = std::move(param)});
}

Response refuse_stream(Flavour flavour, const Status& status) {
  return error_response(flavour, {.cause = cause_of(status.code()), .message = status.message()});
}

Reply resume(const Api& api, Flavour flavour, Exchange& exchange, const StreamName& name) {
  StreamPlace place;
  if (const auto text = exchange.request.header(kLastEvent)) {
    place.after_event = whole(*text);
    if (!place.after_event) {
      return bad(flavour, "Last-Event-ID", "Last-Event-ID: the number of an event is expected");
    }
  }
  if (const auto text = exchange.request.parameter("from")) {
    const auto byte = whole(*text);
    if (!byte) return bad(flavour, "from", "from: a number of bytes is expected");
    place.byte = *byte;
  }
  auto reader = api.streams->resume(name, place,
                                    std::make_shared<Subscription>(*api.newsroom, exchange.waker));
  if (!reader.ok()) return refuse_stream(flavour, reader.status());
  EventStream events;
  events.source = std::move(*reader);
  return events;
}

Response no_streams() {
  return error_response(Flavour::kLlama,
                        {.cause = Cause::kNotImplemented,
                         .message = "this server keeps no streams (--keep-streams)"});
}

std::string asked_conversation(const Exchange& exchange) {
  if (!exchange.path_values.empty()) return exchange.path_values.front();
  return exchange.request.parameter("conv_id").value_or("");
}

}  // namespace

Reply kept_stream(const Api& api, Flavour flavour, Exchange& exchange,
                  const std::function<Reply()>& handler) {
  const auto conversation = exchange.request.header(kConversation);
  if (!conversation || api.streams == nullptr) return handler();
  if (conversation->empty() || conversation->size() > kConversationBytesMax) {
    return bad(flavour, "X-Conversation-Id", "X-Conversation-Id: 1 to 256 bytes are expected");
  }
  const StreamName name = name_for(exchange.request, std::string(*conversation));
  if (exchange.request.header(kLastEvent)) return resume(api, flavour, exchange, name);
  Reply reply = handler();
  auto* const stream = std::get_if<EventStream>(&reply);
  if (stream == nullptr) return reply;
  auto kept = api.streams->keep(name, std::move(stream->source));
  if (!kept.ok()) return refuse_stream(flavour, kept.status());
  stream->source = std::move(*kept);
  return reply;
}

Reply get_stream(const Api& api, Exchange& exchange) {
  if (api.streams == nullptr) return no_streams();
  const std::string conversation = asked_conversation(exchange);
  if (conversation.empty()) {
    return bad(Flavour::kLlama, "conv_id", "conv_id: missing; it is required");
  }
  return resume(api, Flavour::kLlama, exchange, name_for(exchange.request, conversation));
}

Reply delete_stream(const Api& api, Exchange& exchange) {
  if (api.streams == nullptr) return no_streams();
  const bool was = api.streams->forget(name_for(exchange.request, asked_conversation(exchange)));
  return json_response({{"deleted", was}});
}

}  // namespace cairn::server
