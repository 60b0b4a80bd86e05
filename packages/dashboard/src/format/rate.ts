const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** A rate per second: `12.4/s`, `1,204/s`; below 0.1 per second, per minute: `3/min`. */
export function formatRate(perSecond: number): string {
  if (perSecond === 0) return '0/s'
  if (perSecond < 0.1) return `${oneDigit.format(perSecond * 60)}/min`
  return `${(perSecond < 100 ? oneDigit : whole).format(perSecond)}/s`
}
