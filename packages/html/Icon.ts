/** The mark of the product, for the tab of a page. */
export const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%231b4f9c'/%3E%3Cpath d='M6 10h20v13H6z' fill='%23ffd23f'/%3E%3Cpath d='M6 10l10 8 10-8' fill='none' stroke='%231b4f9c' stroke-width='2.4'/%3E%3C/svg%3E"
