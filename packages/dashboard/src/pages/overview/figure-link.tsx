import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** A large number that links to its rows. */
export const FigureLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className="text-ink no-underline hover:underline hover:decoration-1 hover:underline-offset-4">
    {children}
  </a>
))
