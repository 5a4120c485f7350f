import { useEffect } from 'react'

const product = 'Everchart'

/** Returns the title of the browser tab of a screen: "Patients, Everchart". */
export const formatTabTitle = (title: string): string => (title === product ? product : `${title}, ${product}`)

/** Sets the title of the browser tab. */
export function useTabTitle(title: string): void {
  useEffect(() => {
    document.title = formatTabTitle(title)
  }, [title])
}
