import { eventTypes } from '@posthorn/contract/plain'
import { useId } from 'react'
import { TextLink } from '../../components/text-link.tsx'
import type { EndpointDraft } from './endpoint-draft.ts'

export interface EventChoiceProps {
  readonly draft: EndpointDraft
  readonly error: string | null
  readonly onChange: (changed: Partial<EndpointDraft>) => void
}

/** The choice of event types for an endpoint. */
export function EventChoice({ draft, error, onChange }: EventChoiceProps) {
  const name = useId()
  return (
    <fieldset className="space-y-1.5" {...(error !== null && { 'aria-describedby': `${name}-error` })}>
      <legend className="font-medium">Events</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1.5">
        <label className="flex items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="radio"
            name={name}
            checked={draft.isForAll}
            onChange={() => onChange({ isForAll: true })}
          />
          All outcomes
        </label>
        <label className="flex items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="radio"
            name={name}
            checked={!draft.isForAll}
            onChange={() => onChange({ isForAll: false })}
          />
          Only these types
        </label>
      </div>
      {!draft.isForAll && (
        <div className="flex flex-wrap gap-x-6 gap-y-1.5 pl-6">
          {eventTypes.map(type => (
            <label key={type} className="flex items-center gap-2 pointer-coarse:min-h-11">
              <input
                type="checkbox"
                checked={draft.events.includes(type)}
                onChange={({ target }) =>
                  onChange({
                    events: eventTypes.filter(one =>
                      one === type ? target.checked : draft.events.includes(one),
                    ),
                  })
                }
              />
              <code>{type}</code>
            </label>
          ))}
          <TextLink to="/event-types">See all event types</TextLink>
        </div>
      )}
      {error !== null && (
        <p id={`${name}-error`} className="text-exhausted">
          {error}
        </p>
      )}
    </fieldset>
  )
}
