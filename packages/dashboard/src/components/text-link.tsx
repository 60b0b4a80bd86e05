import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** A link to a page of the dashboard, in running text. */
export const TextLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className="relative z-1 text-link underline underline-offset-2 hover:decoration-2">
    {children}
  </a>
))
