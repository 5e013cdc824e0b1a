/** The slot of another number for a recipient; `expires_at` in epoch milliseconds. */
export interface LentSlot {
  readonly lender_id: string
  readonly expires_at: number
}
