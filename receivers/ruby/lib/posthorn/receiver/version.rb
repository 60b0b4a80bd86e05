# frozen_string_literal: true

module Posthorn
  module Receiver
    VERSION = "0.1.0"
  end
end
