const looks = {
  /** 45°, for what is final: it differs from failed without colour. */
  final: { colour: 'fill-c-exhausted', angle: 45 },
  /** Level stripes, for what the recipient wanted. */
  wanted: { colour: 'fill-c-pending', angle: 90 },
} as const

export type HatchingLook = keyof typeof looks

/** A hatched fill, used as `fill={url(#id)}`. */
export function Hatching({ id, look }: { id: string; look: HatchingLook }) {
  const { colour, angle } = looks[look]
  return (
    <pattern id={id} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform={`rotate(${angle})`}>
      <rect width={5} height={5} className="fill-surface" />
      <rect width={3} height={5} className={colour} />
    </pattern>
  )
}
