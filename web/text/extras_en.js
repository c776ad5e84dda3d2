/* extras.en - the English words of saving, of the row of the guided tour and of the reader's own
 * attention, as far as they stand on the page from the start; the rest is in more_en.js. */

export const extrasEn = {
    desksLabel: 'What to look at',
    desks: {text: 'A text', corpus: 'A corpus'},
    save: {
        label: 'Save this figure',
        files: {svg: 'SVG', png: 'PNG', csv: 'CSV', json: 'JSON', html: 'Web page'},
        hints: {
            svg: 'The picture as vectors',
            png: 'The picture in twice the size',
            csv: 'The table for spreadsheets',
            json: 'The table with unrounded numbers, for programs',
            html: 'One file with the figure that one can point at; works without network',
        },
        link: 'Copy link',
        share: 'Share…',
        shareHint: 'Tags for pages, blogs and notebooks',
        ownHint: 'A link cannot carry your file; a saved web page can.',
    },
    gallery: {file: 'gallery.html', text: 'Headlight in other pages'},
    tour: {
        label: 'Guided tour',
        names: [
            'next word',
            'previous word',
            'same word',
            'same word, other sentence',
            'predicting a word',
            'delimiters',
            'own sentence',
        ],
    },
    own: {
        open: 'Attention of your own…',
        drop: 'Drop a file of attention, or a model’s files',
        part: 'Which attention',
        close: 'Back to the model',
        /** @param {number} count @param {string} name */
        read: (count, name) => `${count} ${count === 1 ? 'token' : 'tokens'} read from ${name}`,
        lacks:
            'This view needs more than attention weights, and your file has only these. ' +
            'The head view and the model view work.',
    },
};
