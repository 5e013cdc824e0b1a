/** A key of one project and environment, as stored in its file. */
export interface Profile {
  readonly name: string
  readonly base_url: string
  readonly api_key: string
  readonly key_id: string
  readonly expires_at: string | null
  readonly environment: string
  readonly environment_id: string
  readonly project: string
  readonly organization: string
}
