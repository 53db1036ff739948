// What all connections of a server share. Only session.cpp and server.cpp see this.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "server/http/access_record.h"
#include "server/http/cors.h"
#include "server/http/job_queue.h"
#include "server/http/keys.h"
#include "server/http/router.h"
#include "server/http/wake_board.h"
#include "server/settings.h"

namespace cairn::server {

/// All but `jobs` and `board` is touched on the I/O thread alone once the server runs.
struct Service {
  Service(boost::asio::io_context& context, HttpSettings http_settings, Router router_rows)
      : io(context),
        settings(std::move(http_settings)),
        router(std::move(router_rows)),
        jobs(settings.waiting_jobs_max) {}

  boost::asio::io_context& io;
  const HttpSettings settings;
  const Router router;
  ApiKeys keys = {};
  CorsPolicy cors = {};
  bool answers_to_loopback_names_only = false;
  bool draining = false;
  bool loading = false;
  std::function<void(const AccessRecord&)> log = {};
  std::shared_ptr<WakeBoard> board = {};
  JobQueue jobs;
};

}  // namespace cairn::server
