# frozen_string_literal: true

require "logger"
require "rails"
require "action_controller/railtie"
require_relative "../lib/posthorn/receiver"

class RailsApplication < Rails::Application
  config.load_defaults 6.1
  config.eager_load = false
  config.root = __dir__
  config.secret_key_base = "not a secret"
  config.hosts.clear
  config.consider_all_requests_local = false
  config.action_dispatch.show_exceptions = false
  config.action_controller.allow_forgery_protection = true
  config.logger = Logger.new(nil)
  routes.append { match "/hooks", to: "hooks#create", via: :all }
  initialize!
end

# Its action runs `HooksController.process`.
class HooksController < ActionController::Base
  protect_from_forgery with: :exception
  include Posthorn::Receiver::Controller

  class_attribute :process, instance_accessor: false

  def create
    self.class.process.call(posthorn_event, self)
  end
end
