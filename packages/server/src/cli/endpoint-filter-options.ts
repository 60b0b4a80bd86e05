import type { WebhookUpdate } from '@posthorn/contract'
import type { CommandInput } from './command-input.ts'

/** The options that filter the events of an endpoint. */
export const filterOptions = {
  tag: {
    value: 'name=value',
    meaning: 'Send only events about emails with this tag, or with another --tag; "none" sends all.',
    multiple: true,
  },
  'sending-domain': {
    value: 'name',
    meaning: 'Send only events about emails from this domain, or another one; "none" sends all.',
    multiple: true,
  },
} as const

/** The filter that the options name; empty if they name none. */
export function filterFrom(input: CommandInput): Pick<WebhookUpdate, 'tags' | 'sending_domains'> {
  const [tags, domains] = [input.all('tag'), input.all('sending-domain')]
  return {
    ...(tags.length > 0 && { tags: withoutNone(tags) }),
    ...(domains.length > 0 && { sending_domains: withoutNone(domains) }),
  }
}

function withoutNone(values: readonly string[]): string[] {
  return values.filter(value => value !== 'none')
}
