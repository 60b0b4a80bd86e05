# frozen_string_literal: true

module Posthorn
  module Receiver
    # Verifies every request to a Rails controller. Your action finds the event with `posthorn_event`.
    #
    #     class HooksController < ActionController::API
    #       include Posthorn::Receiver::Controller
    #       self.posthorn_handler = Posthorn::Receiver::Handler.new(Posthorn::Receiver::Verifier.new(ENV["WEBHOOK_SECRET"]))
    #
    #       def create
    #         UpdateContactJob.perform_later(posthorn_event.to_h)
    #         head :no_content
    #       end
    #     end
    #
    # If secrets depend on the request, define a private method `posthorn_handler` instead.
    module Controller
      def self.included(controller)
        controller.class_attribute :posthorn_handler, instance_accessor: false
        # A webhook has a signature instead of the token of a form.
        controller.skip_forgery_protection if controller.respond_to?(:skip_forgery_protection)
        controller.around_action :receive_posthorn_event
      end

      # Private, because public methods of a controller are actions.
      private

      attr_reader :posthorn_event, :posthorn_verified

      def posthorn_handler
        self.class.posthorn_handler || raise(UsageError.new(:option_invalid, "posthorn_handler is not set"))
      end

      def receive_posthorn_event
        handler = posthorn_handler
        status, headers, body = handler.receive(request.env) do |event, verified|
          @posthorn_event = event
          @posthorn_verified = verified
          handler.proof_of(verified).each { |name, value| response.set_header(name, value) }
          yield
          [response.status, {}, []]
        end
        return if performed?

        headers.each { |name, value| response.set_header(name, value) }
        render plain: body.join, status:
      end
    end
  end
end
