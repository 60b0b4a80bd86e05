import { expect, test } from 'vitest'
import { beginVisit } from './visit.ts'

function windowAt(address: string): { view: Pick<Window, 'location' | 'history'>; replaced: string[] } {
  const { pathname, search, hash } = new URL(address)
  const replaced: string[] = []
  const history = { state: null, replaceState: (_: unknown, __: string, to: string) => replaced.push(to) }
  return { view: { location: { pathname, search, hash }, history } as never, replaced }
}

test('the token of a portal link is removed from the address; its options stay', () => {
  const { view, replaced } = windowAt('https://p.example/portal/pses_1?theme=dark&nav=0#secret')
  expect(beginVisit(view)).toEqual({ hasSidebar: false, portalToken: 'secret' })
  expect(replaced).toEqual(['/portal/pses_1?theme=dark&nav=0'])
})

test('any other page keeps its address', () => {
  const { view, replaced } = windowAt('https://p.example/endpoints#main')
  expect(beginVisit(view)).toEqual({ hasSidebar: true, portalToken: null })
  expect(replaced).toEqual([])
})
