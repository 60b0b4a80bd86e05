# frozen_string_literal: true

require_relative "receiver/version"
require_relative "receiver/errors"
require_relative "receiver/verifier"
require_relative "receiver/event"
require_relative "receiver/deduplicator"
require_relative "receiver/memory_store"
require_relative "receiver/redis_store"
require_relative "receiver/database_store"
require_relative "receiver/handler"
require_relative "receiver/middleware"
require_relative "receiver/controller"
