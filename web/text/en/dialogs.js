/* dialogs - what the parts of the page say in English that are fetched when first used: remarks below
 * the figure (unknown words, changes that a new text has shed, experiments that are on), a fine-tuned
 * model's answers, where a model comes from, the help for imported attention, what is said after
 * saving, the dialogs of sharing and of precision.
 */
import {headName} from '../../draw/head_name.js';

const NAMES = {encoder: 'encoder', decoder: 'decoder', cross: 'cross-attention'};

export const dialogs = {
    /** What a fine-tuned model says: a heading for each task, then what stands above the numbers. */
    said: {
        labels: 'What the model says of this text',
        token_labels: 'What the model says of each token',
        answer: 'The model’s answer',
        replaced: 'Which tokens were replaced',
        textLabels: 'Its labels and their probabilities:',
        numbers: 'Its numbers (regression):',
        originals: 'Below each token the probability that it is not the original one:',
        answers:
            'Parts of B that may answer A, with their probabilities (of the start times of the end):',
        noAnswer: 'No token of this text can be part of an answer.',
        tokenLabels: 'Below each token its most probable label:',
        isReplaced: 'replaced',
    },
    from: {
        /** @param {string} name @param {string} commit */
        hub: (name, commit) => `${name}, commit ${commit}, from the hub.`,
        /** @param {string} name @param {string} commit */
        copy: (name, commit) => `${name}, commit ${commit}, from the copy in this browser.`,
        /** @param {string} name @param {string} files */
        disk: (name, files) => `${files}${name ? ` from the folder ${name}` : ''} on your disk.`,
        /** @param {string} name @param {string} files */
        server: (name, files) => `${files} from ${name}`,
        keeping: 'A copy is being kept in this browser.',
        kept: 'A copy is kept in this browser; the next visit needs no network.',
    },
    long: {
        fit: 'Fit to height',
        more: {
            /** @param {number} count */
            above: count => `${count} more above`,
            /** @param {number} count */
            below: count => `${count} more below`,
        },
    },
    remarks: {
        /** @param {string} head '' for all */
        overCorpus: head => `What ${head || 'each head'} does over many sentences`,
        /** What can be changed in a text or inside the model. */
        changes: {
            masked: 'masked tokens',
            replaced: 'replaced tokens',
            off: 'switched-off heads',
            zeroed: 'neurons at zero',
            without: 'left-out embeddings',
            swapped: 'swapped positions',
        },
        /** @param {string[]} what */
        shed: what =>
            `This text begins afresh, without the ${what.join(', ').replace(/, (?=[^,]*$)/, ' and ')} of the one before.`,
        shedBack: 'Back to the text before',
        without: /** @type {Record<string, string>} */ ({
            positions:
                'An experiment is on: the model runs without position embeddings, so it cannot know the order of the words.',
            types: 'An experiment is on: the model runs without segment embeddings, so it cannot know which sentence a word belongs to.',
        }),
        /** @param {number} a @param {number} b */
        swapped: (a, b) =>
            `An experiment is on: the model reads the tokens at positions ${a} and ${b} as if each stood in the other’s place.`,
        end: 'Turn it off',
        /** @param {number} count @param {string} characters */
        unread: (count, characters) =>
            count === 1
                ? `The model’s vocabulary lacks ${characters}: it reads [UNK] there, the same for every unknown word.`
                : `The model’s vocabulary lacks ${count} of these tokens (${characters}): it reads [UNK] for each, so it cannot tell them apart.`,
        readable: 'Take a text it can read',
    },
    order: {
        title: 'Sentence order',
        says: 'Do A and B stand in their original order? The model’s probabilities:',
        names: ['A comes before B', 'B comes before A'],
    },
    similarity: {
        title: 'Sentence similarity',
        says: 'The model reads A alone and B alone, and pools each into one vector. The cosine of the two, from −1 to 1, says how alike they are:',
        cosine: 'Cosine similarity',
        coming: 'computing…',
    },
    question: {
        host: 'This model lies on another site. Fetch it from',
        hostWhy:
            'That site then learns that you were here, and whatever it sends is shown. The link or tag names it; this page does not know it.',
        hostYes: 'Fetch it',
        /** @param {string} size */
        size: size => `This is a download of ${size}:`,
        sizeWhy:
            'From the hub or a site, straight into this page; nothing is installed. Models of the hub are kept in this browser, a quarter of the size, so that the next visit needs no network.',
        /** @param {string} size */
        sizeYes: size => `Download ${size}`,
        no: 'No, thanks',
    },
    models: {
        title: 'Another model',
        name: 'Name on the Hugging Face hub, or address of a folder',
        load: 'Load',
        hint: 'org/name, org/name@revision, the address of its page, or https:// and the folder with config.json. It runs in this page; nothing is sent anywhere.',
        refused:
            'This is no name of a model: expected is org/name, like google-bert/bert-base-uncased, or an address that begins with https://.',
        known: 'Well-known ones',
        knownHint:
            'Sizes are those of the download, about. Above 50 MB the page asks before it begins.',
        kept: 'Kept in this browser',
        /** @param {string} size */
        keptSum: size => `Together ${size}. They load without a network.`,
        keptNone: 'None yet: a model of the hub is kept when it has been loaded.',
        commit: 'Commit',
        delete: 'Delete',
        /** @param {string} name */
        deleteName: name => `Delete the copy of ${name}`,
        /** @param {string} name */
        deleted: name => `The copy of ${name} has been deleted.`,
        disk: 'From your disk',
        folder: 'Choose a folder…',
        files: 'Choose files…',
        diskHint:
            'config.json, tokenizer.json or vocab.txt, and model.safetensors or its parts. They, or their folder, can also be dropped on the page. Nothing is uploaded.',
        close: 'Close',
    },
    imported: {
        title: 'Attention from your own model',
        intro:
            'Save the attention of any model in Python as one safetensors file, then open it here or drop it anywhere on ' +
            'this page. It is read on your device and sent nowhere.',
        choose: 'Choose a file…',
        close: 'Close',
        single: 'BERT, GPT and other models of one stack',
        pair: 'Encoder and decoder (T5, BART, Marian): instead of the last two lines',
        copy: 'Copy',
        copied: 'Copied',
        copyFailed: 'Select the lines and copy them.',
        needs: 'Needs transformers, torch and safetensors. attn_implementation="eager" makes the model keep its attention.',
        rules:
            'Tensors: attention.<layer> [heads, tokens, tokens], decoder.<layer>, cross.<layer> [heads, decoder tokens, ' +
            'encoder tokens]; F32, F16 or BF16. Metadata: tokens, decoder_tokens and, if you like, sentences, each a JSON list.',
        others: 'Also read: .json, .csv and .npy that this page saves; JSON of BertViz and dodrio; any .npy or JSON array [layers, heads, tokens, tokens], with or without a batch of 1.',
        numbered:
            'The file names no tokens: their positions stand in for them. JSON can bring both: {"tokens": […], "attention": […]}.',
        /** @param {string[]} names */
        ignored: names =>
            `Not read: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}.`,
        /** @param {{name: string, count: number, head: number, row: number, sum: number}} odd */
        odd: ({name, count, head, row, sum}) =>
            `${name}: ${count} ${count === 1 ? 'row does' : 'rows do'} not sum to 1 ` +
            `(first: head ${head}, row ${row}, sum ${sum.toFixed(3)}).`,
        /** @param {keyof typeof NAMES} part */
        partName: part => NAMES[part],
    },
    beside: {
        /** @param {string} what @param {string[]} names of the two models */
        difference: (what, [one, two]) =>
            `${what[0].toUpperCase()}${what.slice(1)}: ${two} minus ${one}`,
        same: 'Both models give the same attention here.',
        /** @param {string[]} names @param {{layers: number, heads: number}[]} sizes */
        otherShape: ([one, two], [a, b]) =>
            `No difference is shown: ${one} has ${a.layers} layers of ${a.heads} heads, ${two} has ` +
            `${b.layers} of ${b.heads}.`,
        /** @param {number} a @param {number} b */
        otherCount: (a, b) =>
            `No difference is shown: the first model reads this text as ${a} tokens, the second as ${b}.`,
        /** @param {number} position @param {string} a @param {string} b */
        otherTokens: (position, a, b) =>
            `No difference is shown: at position ${position} the first model reads ${a}, the second ${b}.`,
    },
    saved: {
        /** @param {string} name */
        done: name => `Saved as ${name}`,
        /** @param {string} name @param {string} scale */
        scaled: (name, scale) =>
            `Saved as ${name}, at ${scale} times the size: browsers draw no larger pictures`,
        /** @param {string} name */
        oneLayer: name =>
            `Saved as ${name}, with the layer shown; all layers would be too much for one page`,
        linkCopied: 'Link copied',
        copyFailed: 'The browser does not let the page copy; take it from here:',
        /** @param {string} why */
        failed: why => `That could not be saved: ${why}`,
        /** @param {number} count @param {number} most */
        tooMany: (count, most) =>
            `${count.toLocaleString('en')} weights are more than the ${most.toLocaleString('en')} that such a text file may hold; take .npy or .safetensors`,
        /** @param {number} layer */
        noAttention: layer => `the attention of layer ${layer} is not there`,
        madeWith: 'Made with Headlight',
        /** @param {string} model @param {string} text */
        source: (model, text) => (text ? `Model: ${model}. Text: ${text}` : `File: ${model}`),
    },
    sheet: {
        lines: 'A line runs from the query, on the left, to the key that it looks at; the thicker and stronger, the greater its weight.',
        cells: 'Small cells outside, one per head: the mean weight that a token receives (right) or gives to the keys shown (left).',
        signs: 'Blue is positive, orange negative; 0 has no colour.',
        /** @param {string} names */
        off: names => `switched off: ${names}`,
        /** @param {number} count */
        zeroed: count => `${count} ${count === 1 ? 'neuron' : 'neurons'} at zero`,
        /** @param {string} words */
        replaced: words => `replaced: ${words}`,
        /** @param {readonly number[]} positions */
        swapped: positions => `positions ${positions.join(' and ')} swapped`,
        without: /** @type {Record<string, string>} */ ({
            positions: 'no position embeddings',
            types: 'no segment embeddings',
        }),
    },
    share: {
        title: 'Share this figure',
        as: 'As',
        copy: 'Copy',
        copied: 'Copied',
        copyFailed: 'Your browser does not let the page copy; the text is selected, press Ctrl+C.',
        close: 'Close',
        cors:
            'Pages on other sites can show it where the server of this site lets them read it (CORS: Access-Control-Allow-Origin: *; GitHub Pages does). ' +
            'Otherwise the picture inside stays still.',
        pieces: {
            code: 'The text to paste',
            sizer: 'Once a page, if frames are to take the height of their figures',
            shortcode: 'Once a site, as layouts/shortcodes/head-light.html',
        },
        kinds: {
            link: {
                name: 'Link',
                where: 'Opens this page as it is now; for mail, chat and anywhere a link can stand.',
                save: '',
            },
            iframe: {
                name: 'Frame',
                where: 'For any page that takes HTML with frames; nothing of the page around it is touched.',
                save: '',
            },
            element: {
                name: 'Element',
                save: '',
                where: 'For pages that take HTML with scripts; the picture inside is shown where scripts do not run: feeds, print, search engines.',
            },
            markdown: {
                name: 'Markdown',
                save: 'Save the picture',
                where: 'For README files, GitHub, forums and newsletters: save the picture beside your text; it leads to this page.',
            },
            html: {
                name: 'Web page',
                save: 'Save the web page',
                where: 'One file with the interactive figure; opens from disk, needs no network, can be sent by mail.',
            },
            jekyll: {
                name: 'Jekyll',
                where: 'For posts in Markdown on GitHub Pages and other Jekyll sites.',
                save: '',
            },
            hugo: {
                name: 'Hugo',
                where: 'For posts in Markdown; the shortcode is needed because Hugo leaves out HTML in Markdown.',
                save: '',
            },
            quarto: {
                name: 'Quarto',
                where: 'For HTML output of .qmd files and R Markdown.',
                save: '',
            },
            jupyter: {
                name: 'Jupyter',
                where: 'For a Python cell in Jupyter, VS Code or Colab; stays in the notebook when it is exported as HTML.',
                save: '',
            },
        },
        gallery: {
            link: 'Live examples',
            other: '中文',
            otherFile: 'gallery-zh.html',
            otherLang: 'zh',
            title: 'Headlight in other pages',
            lede:
                'Each figure below uses exactly the code that the Share dialog of the Headlight page gives you. The weights ' +
                'are in the page; a model is loaded only when you press its button.',
            home: 'To the Headlight page',
            tag: 'Code',
            figures: {
                element: {
                    title: 'The element',
                    text:
                        'A picture is shown here until the script has loaded, and where no script runs. ' +
                        'Layer 0, head 6: the next word.',
                },
                dark: {
                    title: 'The same in dark',
                    text: 'theme="dark", whatever the reader’s system prefers; another head, by words instead of pieces.',
                },
                shared: {
                    title: 'Two figures, one model',
                    text: 'Press the button of both: the model is fetched once, and both use it.',
                },
                model: {
                    title: 'A view that needs the model',
                    text: 'The picture is all there is until the button is pressed.',
                },
                frame: {
                    title: 'A frame',
                    text: 'It tells its height to the page around it, which checks who speaks and keeps it within 100 and 4000 px.',
                },
                markdown: {
                    title: 'A picture in Markdown',
                    text: 'A picture that leads to the page, for where nothing else is allowed.',
                },
                sandbox: {
                    title: 'In a sandbox',
                    text: 'A frame without an origin of its own, without storage: srcdoc with sandbox="allow-scripts".',
                },
                policy: {
                    title: 'Under a strict policy',
                    text: 'The page in this frame allows no inline script and no inline style.',
                },
                bare: {
                    title: 'Without JavaScript',
                    text: 'A frame in which no script runs: the picture stays.',
                },
            },
        },
    },
    precision: {
        title: 'How exact these numbers are',
        close: 'Close',
        now: 'What runs now',
        weights: 'Weights',
        stores: {
            q8: 'int8, one scale for each output',
            f32: 'float32, as in the file: nothing is rounded, so there is nothing to choose',
        },
        activations: 'Activations',
        precisions: {fine: 'fine', fast: 'fast'},
        precisionHints: {
            fine: 'up to 14 bits per value, attention in float32; closer to float32, takes up to half as long again',
            fast: '8 bits per value, a second byte for the few largest of a row, attention on 13 to 16 bits',
        },
        wasm: 'WebAssembly',
        /** @param {boolean} relaxed @param {number} count 0: not known */
        runsOn: (relaxed, count) =>
            `${relaxed ? 'relaxed SIMD' : 'plain SIMD'}${count > 1 ? `, up to ${count} threads` : ''}`,
        pass: 'Last pass',
        /** @param {string} ms @param {number} count */
        took: (ms, count) => `${ms} ms for ${count} ${count === 1 ? 'token' : 'tokens'}`,
        memory: 'Memory',
        /** @param {string} all @param {string} weights */
        uses: (all, weights) => `${all ? `${all}, ` : ''}of it ${weights} weights`,

        /** @param {string} model */
        measured: model => `Measured once, on ${model}`,
        /** @param {number} sentences @param {string} rows */
        measuredOn: (sentences, rows) =>
            `${sentences} sentences of UD English-EWT, ${rows} rows of attention, all layers and heads, one ` +
            'masked word a sentence. These are figures of this model: another one may lie farther off. Source:',
        against: {
            same: 'Against the same int8 weights, the rest in float32',
            f32: 'Against the float32 weights they were rounded from',
        },
        measure: 'Measure',
        mean: 'Mean |Δ attention|',
        p999: '99.9th percentile',
        max: 'Largest',
        changed: 'Rows with another top key',
        fillings: 'Another first prediction at [MASK]',
        /** @param {string} some @param {string} all @param {string} share */
        ofAll: (some, all, share) => `${some} of ${all} (${share})`,

        here: 'On the text of the page',
        about: 'Computes this text once more in float32, in a worker of its own, and sets each attention weight against the one shown.',
        /** @param {string} size */
        needs: size =>
            `float32 weights need about ${size} of memory, four times as much as int8; it is given back afterwards.`,
        run: 'Recompute in float32 and compare',
        again: 'Compare again',
        cancel: 'Cancel',
        cancelled: 'Cancelled.',
        steps: {
            /** @param {string} amount */
            load: amount => `Loading the weights as float32${amount && `: ${amount}`}`,
            /** @param {string} amount */
            maps: amount => `Comparing layers: ${amount}`,
            /** @param {string} amount */
            words: amount => `Comparing predictions: ${amount}`,
        },
        /** @param {number} done @param {number} total */
        amount: (done, total) => `${done} of ${total}`,
        moved: 'The page has begun to compute something else. Once that is there, compare again.',
        failed: 'This did not work:',
        failedHelp:
            'The page is as it was. If memory is short, close other tabs and programs, or take a smaller model or text, and try again.',
        codes: {
            true:
                'The checkpoint itself is int8: both sides have the same weights, int8 codes times their scales. What differs is the rest: ' +
                'float32 activations and sums instead of rounded ones. Weights from before the rounding are not in the file.',
            false: 'The checkpoint is of floats: this is the pass with its own weights as float32, against int8 weights made of them and rounded activations.',
        },
        /** @param {string} precision @param {number} count @param {string} ms */
        compared: (precision, count, ms) =>
            `Precision ${precision}, ${count} ${count === 1 ? 'token' : 'tokens'}; the pass in float32 took ${ms} ms.`,
        rowsChanged: 'Rows with another top key',
        wordsChanged: 'Positions with another first prediction',
        worst: 'Farthest apart',
        /** @param {{layer: number, head: number, query: string, key: string, ours: string, exact:
         *     string}} place */
        worstAt: ({layer, head, query, key, ours, exact}) =>
            `${headName(layer, head)}: ${query} looks at ${key}, ${ours} here, ${exact} in float32`,
        picture: 'Difference by head',
        tells: {max: 'largest', mean: 'mean'},
        tellsLabel: 'Colour shows the',
        layer: 'layer',
        head: 'head',
        /** @param {number} layer @param {number} head */
        headName,
        /** @param {string} max @param {string} mean @param {number} rows */
        headSays: (max, mean, rows) =>
            `largest ${max}, mean ${mean}, ${rows} ${rows === 1 ? 'row' : 'rows'} with another top key`,
        headHint: 'Point at a head for its numbers, press it to see it.',
        wordsTable: 'Where the first prediction differs',
        at: 'At',
        ours: 'Here',
        exact: 'float32',
        /** @param {number} count */
        more: count => `and ${count} more`,
    },
};
