# frozen_string_literal: true

# Exits with 0 if everything is installed that the tests need, and prints what is missing.

gems = %w[actionpack activerecord connection_pool minitest pg puma rack railties rake rbs redis sqlite3]
missing = gems.select { |name| Gem::Specification.find_all_by_name(name).empty? }
puts missing
exit missing.empty?
