/** Addresses of the files that every page refers to. */
export type SiteAssets = {
  /** The script, a module. */
  script: string
  /** Text of the style sheet, without the tokens of the themes. */
  css: string
  /** The font, which is preloaded; undefined while developing. */
  font: string | undefined
  /** File name of a picture → address. */
  pictures: Readonly<Record<string, string>>
}

/** The functions of `render.tsx` that the build calls, without the types of React. */
export type SiteRenderer = {
  renderPage(path: string, assets: SiteAssets): string | undefined
  renderFiles(assets: SiteAssets): Record<string, string>
}
