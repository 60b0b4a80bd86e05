import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { type ButtonKind, buttonLook } from './button-look.ts'

interface ButtonAnchorProps extends Omit<ComponentProps<'a'>, 'className'> {
  readonly kind?: ButtonKind
  readonly icon?: ReactNode
}

function ButtonAnchor({ kind = 'plain', icon, children, ...rest }: ButtonAnchorProps) {
  return (
    <a {...rest} className={buttonLook(kind)}>
      {icon}
      {children}
    </a>
  )
}

/** A link to a page of the dashboard that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor)
