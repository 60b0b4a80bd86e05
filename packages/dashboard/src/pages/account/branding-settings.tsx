import type { Branding } from '@posthorn/contract'
import { useState } from 'react'
import { useMayChange } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { fieldError, otherError } from '../../words/form-errors.ts'
import { LogoSetting } from './logo-setting.tsx'
import { useBranding, useSaveBranding } from './use-branding.ts'

/** The name, color and logo that recipients see on the unsubscribe page. */
export function BrandingSettings() {
  const mayChange = useMayChange()
  const { data, error, isPending, refetch } = useBranding()
  return (
    <section aria-labelledby="unsubscribe-page" className="mt-10 max-w-180 space-y-3">
      <h2 id="unsubscribe-page">Unsubscribe page</h2>
      <p className="text-ink-2">Recipients see this when they open the unsubscribe link of an email.</p>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton lines={3} />}
      {data !== undefined && <LogoSetting logo={data.logo} />}
      {data !== undefined && !mayChange && <BrandingWords branding={data} />}
      {data !== undefined && mayChange && (
        <BrandingForm key={`${data.name}\n${data.color}`} branding={data} />
      )}
    </section>
  )
}

function BrandingWords({ branding: { name, color } }: { branding: Branding }) {
  return (
    <p>
      {name === null ? 'The page shows the From name of the email' : <bdi>{name}</bdi>}
      {color !== null && `, with a button in ${color}`}.
    </p>
  )
}

function BrandingForm({ branding }: { branding: Branding }) {
  const save = useSaveBranding()
  const [name, setName] = useState(branding.name ?? '')
  const [color, setColor] = useState(branding.color ?? '')
  const isSame = name.trim() === (branding.name ?? '') && color.trim() === (branding.color ?? '')
  const typed = (set: (text: string) => void, text: string): void => {
    set(text)
    if (save.error !== null) save.reset()
  }
  return (
    <form
      className="space-y-3"
      onSubmit={event => {
        event.preventDefault()
        if (!save.isPending) save.mutate({ name: name.trim() || null, color: color.trim() || null })
      }}
    >
      <TextField
        label="Sender name"
        name="sender-name"
        autoComplete="organization"
        maxLength={100}
        placeholder="Acme Shop"
        hint="Without a name, the page shows the From name of the email."
        value={name}
        error={fieldError(save.error, '/name')}
        onChange={event => typed(setName, event.target.value)}
      />
      <div className="flex items-end gap-2">
        <div className="grow">
          <TextField
            label="Button color"
            name="button-color"
            mono
            autoComplete="off"
            spellCheck={false}
            maxLength={7}
            placeholder="#1d4ed8"
            value={color}
            error={fieldError(save.error, '/color')}
            onChange={event => typed(setColor, event.target.value)}
          />
        </div>
        <input
          type="color"
          aria-label="Choose the button color"
          className="h-8.5 w-12 cursor-pointer rounded border border-control bg-surface p-1 pointer-coarse:h-11"
          value={/^#[0-9a-f]{6}$/i.test(color.trim()) ? color.trim() : '#1d4ed8'}
          onChange={event => typed(setColor, event.target.value)}
        />
      </div>
      <Button type="submit" busy={save.isPending} disabled={isSame}>
        Save name and color
      </Button>
      <ActionProblem error={otherError(save.error, ['/name', '/color'])} />
    </form>
  )
}
