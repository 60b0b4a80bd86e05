import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** A link to a page of the dashboard, in running text. */
export const TextLink = createLink(({ children, className, ...rest }: ComponentProps<'a'>) => (
  <a
    {...rest}
    className={classNames(
      'relative z-1 text-link underline underline-offset-2 hover:decoration-2',
      className,
    )}
  >
    {children}
  </a>
))
