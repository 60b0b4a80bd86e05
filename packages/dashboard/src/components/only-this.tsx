import { Plus } from 'lucide-react'

/** A button beside a cell that filters the list by its value. It appears on hover and keyboard focus. */
export function OnlyThis({ what, onPress }: { what: string; onPress: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Only ${what}`}
      title={`Only ${what}`}
      onClick={onPress}
      className="invisible relative z-1 inline-flex size-6 shrink-0 items-center justify-center rounded-small text-ink-3 group-focus-within/row:visible group-hover/row:visible hover:bg-surface hover:text-ink max-roomy:hidden"
    >
      <Plus size={14} aria-hidden />
    </button>
  )
}
