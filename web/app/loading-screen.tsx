import { makeStyles, Spinner } from '@fluentui/react-components'

const useStyles = makeStyles({ root: { minHeight: '60dvh', display: 'grid', placeItems: 'center' } })

/** While it is not known yet who is asking, or a screen is on its way. */
export function LoadingScreen() {
  return (
    <div className={useStyles().root}>
      <Spinner label="Loading..." />
    </div>
  )
}
