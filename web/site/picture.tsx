import { createContext, Fragment, use } from 'react'
import { pictureSizes } from './picture-sizes.ts'

export type PictureName = keyof typeof pictureSizes

type PictureProps = {
  name: PictureName
  alt: string
  /** Another picture on phones. */
  phone?: PictureName
  /** False for a picture that is seen before scrolling. */
  isLazy?: boolean
}

const formats = ['avif', 'webp'] as const

/** Addresses of the picture files, by file name. */
export const PictureUrls = createContext<Readonly<Record<string, string>>>({})

/** Returns the function that returns the address of a picture file; one that does not exist yet is missing from the page. */
function useGetUrl(): (file: string) => string {
  const urls = use(PictureUrls)
  return (file) => urls[file] ?? `/missing/${file}`
}

const phoneQuery = '(max-width: 640px)'
const darkQuery = '(prefers-color-scheme: dark)'

/** Sources of one picture in both themes; browsers take the first that matches. */
function Sources({ name, media }: { name: PictureName; media?: string }) {
  const { width, height } = pictureSizes[name]
  const getUrl = useGetUrl()
  const toSrcSet = (theme: string, format: string) =>
    `${getUrl(`${name}-${theme}.${format}`)}, ${getUrl(`${name}-${theme}@2x.${format}`)} 2x`
  return formats.map((format) => (
    <Fragment key={format}>
      <source
        media={[media, darkQuery].filter(Boolean).join(' and ')}
        type={`image/${format}`}
        srcSet={toSrcSet('dark', format)}
        width={width}
        height={height}
      />
      <source media={media} type={`image/${format}`} srcSet={toSrcSet('light', format)} width={width} height={height} />
    </Fragment>
  ))
}

/** Picture of a screen, as `npm run pictures` made it: in the theme of the browser, sharp on dense screens. */
export function Picture({ name, alt, phone, isLazy = true }: PictureProps) {
  const { width, height } = pictureSizes[name]
  const getUrl = useGetUrl()
  return (
    <picture>
      {phone && <Sources name={phone} media={phoneQuery} />}
      <Sources name={name} />
      <img
        className="shot"
        src={getUrl(`${name}-light.webp`)}
        width={width}
        height={height}
        alt={alt}
        {...(isLazy ? { loading: 'lazy' as const, decoding: 'async' as const } : { fetchPriority: 'high' as const })}
      />
    </picture>
  )
}
