# frozen_string_literal: true

module Posthorn
  module Receiver
    # Rack middleware. Your application finds the event in `env["posthorn.event"]`, and {Verified} in
    # `env["posthorn.verified"]`.
    #
    #     map "/hooks" do
    #       use Posthorn::Receiver::Middleware, Posthorn::Receiver::Verifier.new(ENV["WEBHOOK_SECRET"])
    #       run HandleWebhook.new
    #     end
    class Middleware
      # @param app [#call] the next Rack application
      # @param verifier [Verifier]
      # @param options the options of {Handler#initialize}
      def initialize(app, verifier, **options)
        @app = app
        @handler = Handler.new(verifier, **options)
      end

      def call(env)
        @handler.receive(env) do |event, verified|
          status, headers, body = @app.call(env.merge!("posthorn.event" => event, "posthorn.verified" => verified))
          [status, headers.merge(@handler.proof_of(verified)), body]
        end
      end
    end

    # A whole receiver as a Rack application. It answers 200 if the block returns, whatever it returns.
    #
    #     run Posthorn::Receiver.app(Posthorn::Receiver::Verifier.new(ENV["WEBHOOK_SECRET"])) { |event| update_contact(event) }
    #
    # @param verifier [Verifier]
    # @param options the options of {Handler#initialize}
    # @yieldparam event [Event]
    # @return [Middleware]
    def self.app(verifier, **options)
      process = lambda do |env|
        yield env["posthorn.event"]
        [200, { "content-type" => "text/plain" }, ["ok\n"]]
      end
      Middleware.new(process, verifier, **options)
    end
  end
end
