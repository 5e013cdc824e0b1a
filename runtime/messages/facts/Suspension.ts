/**
 * True when the service of a number is suspended at an instant: the row may name one that lies ahead. Epoch
 * milliseconds.
 */
export const isSuspended = ({ suspended_at }: { readonly suspended_at: number | null }, now: number): boolean =>
  suspended_at !== null && suspended_at <= now
