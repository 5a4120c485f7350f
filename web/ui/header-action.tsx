import { Button, makeStyles, mergeClasses, type ButtonProps } from '@fluentui/react-components'

const narrow = '@media (max-width: 943px)'

const useStyles = makeStyles({
  button: {
    whiteSpace: 'nowrap',
    flexShrink: 0,
    [narrow]: { minWidth: '32px', width: '32px', paddingLeft: 0, paddingRight: 0 },
  },
  icon: { [narrow]: { '> .fui-Button__icon': { marginRight: 0 } } },
  label: { [narrow]: { display: 'none' } },
})

type HeaderActionProps = {
  label: string
  icon: ButtonProps['icon']
  appearance?: ButtonProps['appearance']
  onClick?: () => void
}

/** Main action of a page; shows only its icon where there is little room beside the title. */
export function HeaderAction({ label, icon, appearance = 'primary', onClick }: HeaderActionProps) {
  const styles = useStyles()
  return (
    <Button
      className={mergeClasses(styles.button, styles.icon)}
      appearance={appearance}
      icon={icon}
      aria-label={label}
      onClick={onClick}
    >
      <span className={styles.label}>{label}</span>
    </Button>
  )
}
