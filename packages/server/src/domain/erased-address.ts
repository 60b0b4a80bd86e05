/** Replaces all addresses of an erased event, also those of other recipients, because an event must not be sent with changed data. */
export const erasedAddress = 'erased@erased.invalid'
