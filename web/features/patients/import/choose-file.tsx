import { Button, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { ArrowUploadRegular } from '@fluentui/react-icons/svg/arrow-upload'
import { DocumentTableRegular } from '@fluentui/react-icons/svg/document-table'
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { type DragEvent, useRef, useState } from 'react'
import { Notice } from '#web/ui/notice.tsx'
import { SecondaryText } from '#web/ui/text.tsx'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  dropZone: {
    display: 'grid',
    justifyItems: 'center',
    rowGap: '8px',
    textAlign: 'center',
    margin: '20px',
    padding: '64px 24px',
    borderRadius: tokens.borderRadiusLarge,
    border: `1.5px dashed ${tokens.colorNeutralStroke1}`,
    backgroundColor: tokens.colorNeutralBackground2,
    [narrow]: { margin: '12px', padding: '40px 16px' },
  },
  dragOver: { border: `1.5px dashed ${tokens.colorBrandStroke1}`, backgroundColor: tokens.colorBrandBackground2 },
  icon: { color: tokens.colorBrandForeground1 },
  choose: { marginTop: '8px' },
  failed: { margin: '20px 20px 0', [narrow]: { margin: '12px 12px 0' } },
  details: { display: 'grid', rowGap: '8px', padding: '0 20px 20px', [narrow]: { padding: '0 12px 16px' } },
  detail: { display: 'flex', columnGap: '10px', alignItems: 'flex-start', color: tokens.colorNeutralForeground2 },
  factIcon: { flexShrink: 0 },
})

type ChooseFileProps = { pending: boolean; failure: string | null; onFile: (file: File) => void }

/** Chooses a file with patients, by dropping it or in a dialog. */
export function ChooseFile({ pending, failure, onFile }: ChooseFileProps) {
  const styles = useStyles()
  const input = useRef<HTMLInputElement>(null)
  const [isDragOver, setIsDragOver] = useState(false)
  function drop(event: DragEvent): void {
    event.preventDefault()
    setIsDragOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !pending) onFile(file)
  }
  return (
    <>
      {failure && (
        <Notice
          tone="error"
          icon={ErrorCircleRegular}
          title="This file cannot be imported"
          role="alert"
          className={styles.failed}
        >
          <Text>{failure}</Text>
        </Notice>
      )}
      <div
        className={mergeClasses(styles.dropZone, isDragOver && styles.dragOver)}
        onDragOver={(event) => {
          event.preventDefault()
          setIsDragOver(true)
        }}
        onDragLeave={() => setIsDragOver(false)}
        onDrop={drop}
      >
        <ArrowUploadRegular className={styles.icon} fontSize={32} aria-hidden />
        <Text size={400} weight="semibold">
          Drop your patient list here
        </Text>
        <SecondaryText>A CSV file with a row of headings, up to 50,000 rows and 20 MB</SecondaryText>
        <Button className={styles.choose} disabledFocusable={pending} onClick={() => input.current?.click()}>
          {pending ? 'Reading the file...' : 'Choose a file'}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          aria-label="Patient list"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            // Choosing the same file again after correcting it must fire the event too.
            currentTarget.value = ''
            if (file) onFile(file)
          }}
        />
      </div>
      <div className={styles.details}>
        <span className={styles.detail}>
          <LockClosedRegular className={styles.factIcon} fontSize={20} aria-hidden />
          Nothing is added before you have checked the rows.
        </span>
        <span className={styles.detail}>
          <DocumentTableRegular className={styles.factIcon} fontSize={20} aria-hidden />
          Columns may be in any order. Names and dates of birth are enough to start.
        </span>
      </div>
    </>
  )
}
