# frozen_string_literal: true

# Compares a verification without parsing with the bare HMAC of the same bytes. Prints the medians of 41 rounds.

require_relative "../lib/posthorn/receiver"

secret = "whsec_test_0123456789abcdef0123456789abcdef"
verifier = Posthorn::Receiver::Verifier.new(secret)
median = ->(values) { values.sort[values.length / 2] }
# Processor time, so that other load on the machine counts less.
used_us = -> { Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :float_microsecond) }

puts "| Body | `OpenSSL::HMAC.hexdigest` | `verify` | Ratio |", "|---|---|---|---|"
{ 512 => "0.5 kB", 65_536 => "64 kB" }.each do |bytes, size|
  body = Random.bytes(bytes)
  time = Time.now.to_i
  header = Posthorn::Receiver.sign(body, secret, timestamp: time)
  signed = "#{time}.".b + body
  work = {
    bare: -> { OpenSSL::HMAC.hexdigest("SHA256", secret, signed) },
    verify: -> { verifier.verify(body, header) }
  }
  count = [20, 5_000_000 / (bytes + 500)].max
  rounds = Array.new(41) do
    work.transform_values do |run|
      since = used_us.call
      count.times { run.call }
      (used_us.call - since) / count
    end
  end
  bare, verify = %i[bare verify].map { |name| median.call(rounds.map { |round| round[name] }) }
  ratio = median.call(rounds.map { |round| round[:bare] / round[:verify] })
  puts format("| %s | %.1f µs | %.1f µs | %.2f |", size, bare, verify, ratio)
end
