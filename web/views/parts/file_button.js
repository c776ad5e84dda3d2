/* file_button - the button that opens the browser's choice of files: a label around a hidden input, so
 * that keys and screen readers treat it as what it is. For models, corpora, attention and weights.
 */
import {h} from 'preact';

/** @param {{label: string, onFiles: (files: File[]) => void, folder?: boolean, many?: boolean,
 *     accept?: string, title?: string, main?: boolean}} props   onFiles: at least one, of a folder perhaps none;
 *     folder: a whole folder; many: several files; main: looks like the thing to do */
export const FileButton = ({label, onFiles, folder, many, accept, title, main}) =>
    h(
        'label',
        {class: main ? 'main folder' : 'plain folder', title},
        label,
        h('input', {
            type: 'file',
            class: 'hidden',
            ...(folder && {webkitdirectory: true}),
            multiple: folder || many,
            accept,
            onChange: (/** @type {{currentTarget: HTMLInputElement}} */ {currentTarget: input}) => {
                const files = [...(input.files ?? [])];
                input.value = ''; // so that the same choice made again is a change
                if (files.length || folder) onFiles(files);
            },
        }),
    );
