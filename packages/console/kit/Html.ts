export { type Html, html, type Piece, trustedMarkup } from "@carteiro/html/Html.ts"
