import { expect, test } from 'vitest'
import { chosenBars, moveSelection } from './bar-selection.ts'

const press = (key: string, shiftKey = false) => ({ key, shiftKey })

test('the first arrow key selects the newest bar, and the selection stops at both ends', () => {
  expect(moveSelection(null, press('ArrowLeft'), 96)).toEqual({ at: 95, anchor: 95 })
  expect(moveSelection({ at: 95, anchor: 95 }, press('ArrowRight'), 96)).toEqual({ at: 95, anchor: 95 })
  expect(moveSelection({ at: 3, anchor: 3 }, press('PageUp'), 96)).toEqual({ at: 0, anchor: 0 })
})

test('Shift + arrows select a window, and an arrow alone ends it', () => {
  const two = moveSelection({ at: 10, anchor: 10 }, press('ArrowLeft', true), 96)
  expect(two).toEqual({ at: 9, anchor: 10 })
  expect(chosenBars(['a', 'b', 'c'], { at: 1, anchor: 2 })).toEqual(['b', 'c'])
  expect(moveSelection({ at: 9, anchor: 10 }, press('ArrowLeft'), 96)).toEqual({ at: 8, anchor: 8 })
})

test('other keys select nothing, and without bars nothing can be selected', () => {
  expect(moveSelection(null, press('Tab'), 96)).toBeNull()
  expect(moveSelection(null, press('End'), 0)).toBeNull()
})
