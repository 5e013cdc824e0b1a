/** The process around a command, replaced by tests. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly home: string
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** Aborts at Ctrl+C and at SIGTERM. */
  readonly signal: AbortSignal
  /** Ends the run like Ctrl+C. */
  readonly stop: () => void
}
