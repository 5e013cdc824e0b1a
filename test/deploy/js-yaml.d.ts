declare module "js-yaml" {
  /** Parses one document. */
  export const load: (text: string) => unknown
  /** Parses all documents of a file. */
  export const loadAll: (text: string) => Array<unknown>
}
