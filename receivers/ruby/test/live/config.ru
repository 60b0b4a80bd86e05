# frozen_string_literal: true

# A receiver whose settings change while it runs: it reads them from the file in RECEIVER_SETTINGS before each request.
# {"secrets": ["whsec_…"], "clockOffsetSeconds": 0, "database": "/path", "log": "/path"}; ADAPTER names the adapter.

require "sqlite3"
require_relative "../../lib/posthorn/receiver"

# The settings, and what a receiver does with them.
class Receiver
  def initialize
    @settings = JSON.parse(File.read(ENV.fetch("RECEIVER_SETTINGS")))
  end

  def verifier
    Posthorn::Receiver::Verifier.new(@settings["secrets"], now: -> { Time.now + @settings["clockOffsetSeconds"] })
  end

  def options
    database = SQLite3::Database.new(@settings["database"])
    database.execute(Posthorn::Receiver::DatabaseStore.create_table)
    {
      dedupe: Posthorn::Receiver::Deduplicator.new(Posthorn::Receiver::DatabaseStore.new(database)),
      on_error: ->(error) { log("refused #{error.code}") }
    }
  end

  def process(event) = log("processed #{event.id}")

  private

  def log(line) = File.write(@settings["log"], "#{line}\n", mode: "a")
end

if ENV["ADAPTER"] == "Rails"
  require_relative "../rails_application"

  run lambda { |env|
    receiver = Receiver.new
    HooksController.posthorn_handler = Posthorn::Receiver::Handler.new(receiver.verifier, **receiver.options)
    HooksController.process = lambda do |event, controller|
      receiver.process(event)
      controller.head(:no_content)
    end
    RailsApplication.call(env)
  }
else
  run lambda { |env|
    receiver = Receiver.new
    Posthorn::Receiver.app(receiver.verifier, **receiver.options) { |event| receiver.process(event) }.call(env)
  }
end
