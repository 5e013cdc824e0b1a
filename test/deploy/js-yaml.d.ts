declare module "js-yaml" {
  /** Parses one document. */
  export const load: (text: string) => unknown
}
