import { frenchWords } from './words/fr.ts';
import type { LanguagePhrases } from './language-phrases.ts';

export const french: LanguagePhrases = {
  smallTalk: {
    denial: 'non|nan|nope|pas vraiment|pas maintenant|pas encore|surtout pas|bien sur que non',
    affirmation:
      'oui|ouais|ouep|oui oui|oui s il vous plait|oui svp|oui merci|oui volontiers|volontiers|avec plaisir|bien sur que oui|evidemment|absolument|tout a fait|allez y|vas y|faites|ce serait bien|ce serait super|ce serait parfait|ce serait gentil|ca serait bien|ca serait super|je veux bien|je le veux|pourquoi pas',
    greeting:
      'ciao|bonjour|bonsoir|salut|coucou|hello|hey|hi|allo|bjr|slt|bonjour a tous|bonjour a vous|bien le bonjour|enchante|enchantee|re bonjour|rebonjour',
    pause:
      'un moment|un moment s il vous plait|un instant|un instant s il vous plait|un petit instant|une seconde|une minute|deux secondes|deux minutes|attends|attendez|attendez svp|attendez un instant|attendez une minute|attends une minute|patientez|je reviens|je reviens tout de suite|laissez moi reflechir|laisse moi reflechir|je reflechis|je regarde|je verifie|peut etre|peut etre plus tard|je ne sais pas|je sais pas|j en sais rien|aucune idee|je ne suis pas sur|je ne suis pas sure|pas sur|pas sure|on verra|ca depend|stop|arretez|arrete|assez',
    gives_details:
      'mon email est|mon e mail est|mon mail est|mon adresse email est|mon adresse mail est|mon adresse est|email|e mail|mail|mon numero est|mon numero est le|mon numero de telephone est|mon telephone est|mon portable est|telephone|tel|mon numero de commande est|vous pouvez me joindre au|joignable au|voici mon numero|voici mon email|voici mon mail|c est le|c est',
    how_are_you:
      'ca va|comment ca va|comment vas tu|comment allez vous|tu vas bien|vous allez bien|cv|la forme|quoi de neuf|comment tu vas|comment va',
    thanks:
      'merci|merci beaucoup|merci bien|mille mercis|grand merci|un grand merci|je vous remercie|je te remercie|mrc|merci infiniment|ca m a aide|cela m a aide|c est utile|tres utile|utile|tu es genial|vous etes genial|bien joue|bon travail|beau travail|je t aime|c est gentil|c est tres gentil|parfait merci',
    goodbye:
      'non merci|ciao|bonne apres midi|bon apres midi|bonne fin de journee|bonne fin de soiree|bonne continuation|bonne semaine|passez une bonne journee|passe une bonne journee|passez une bonne soiree|belle journee|belle soiree|a la prochaine fois|a tres bientot|a bientot alors|bien a vous|cordialement|vous aussi|a vous aussi|de meme|ca ira merci|au revoir|a bientot|a plus|a plus tard|a tout a l heure|a demain|bonne journee|bonne soiree|bonne nuit|bon week end|bye|ciao|adieu|a la prochaine|c est tout|ce sera tout|rien d autre|je dois y aller|plus de questions|salut',
    acknowledgement:
      'ok|okay|d accord|dac|dacc|parfait|super|genial|tres bien|bien|cool|compris|j ai compris|je vois|je comprends|entendu|ca marche|top|excellent|nickel|wow|lol|mdr|haha|hmm|hm|ah|ah bon|oh|c est note|note|test|ceci est un test|je teste|juste un test|rien|laisse tomber|laissez tomber|pas de probleme|pas de souci|interessant|bon a savoir|bien sur|c est bon',
    complaint:
      'quoi|comment|pardon|hein|je ne comprends pas|je comprends pas|j ai pas compris|je n ai pas compris|ca n a pas de sens|ca veut dire quoi|que voulez vous dire|repondez a ma question|reponds a ma question|tu es nul|t es nul|vous etes nul|nul|c est nul|tu es stupide|t es stupide|tu es bete|t es bete|stupide|idiot|imbecile|con|connard|conne|debile|tu es inutile|inutile|ca ne sert a rien|c est inutile|merde|ta gueule|ferme la|tais toi|va te faire foutre|putain|c est faux|faux|mauvaise reponse|ce n est pas ca|c est pas ca|ca ne m aide pas|cela ne m aide pas|ca m aide pas|pas utile|tu ne comprends pas|tu comprends rien|tu ne comprends rien|vous ne comprenez pas|vous ne comprenez rien|tu ne reponds pas a ma question|vous ne repondez pas a ma question|ce n est pas ma question|c est pas ma question|je te deteste|c est n importe quoi|n importe quoi|horrible|tu m enerves|vous vous moquez de moi|tu te moques de moi',
    asks_abilities:
      'plus|continue|continuez|dis m en plus|dites m en plus|plus d informations|plus d infos|la suite|raconte moi une blague|raconte une blague|je m ennuie|tu m aimes|epouse moi|quel age as tu|ou es tu|dis quelque chose|que peux tu faire|que peux tu faire pour moi|que pouvez vous faire|que pouvez vous faire pour moi|que sais tu faire|que savez vous faire|qu est ce que tu peux faire|qu est ce que vous pouvez faire|qu est ce que tu sais faire|tu fais quoi|tu sais faire quoi|tu peux faire quoi|comment peux tu m aider|comment pouvez vous m aider|aide|aidez moi|aide moi|a l aide|peux tu m aider|pouvez vous m aider|tu peux m aider|vous pouvez m aider|pourriez vous m aider|est ce que tu peux m aider|est ce que vous pouvez m aider|j ai besoin d aide|besoin d aide|j ai une question|j ai des questions|j aurais une question|j ai un probleme|j ai un souci|puis je vous poser une question|je peux poser une question|puis je poser une question|une question|question|c est quoi|qu est ce que c est|comment ca marche|comment ca fonctionne|que puis je demander|que puis je te demander|menu|a quoi sers tu|a quoi tu sers',
    asks_maker:
      'quel modele d ia|quelle ia|quel modele de langage|qui t a cree|qui t a fait|qui t a concu|qui t a developpe|qui t a programme|qui vous a cree|qui vous a fait|qui vous a concu|qui vous a developpe|qui est ton createur|qui est votre createur|pour qui travailles tu|pour qui travaillez vous|d ou viens tu|tu viens d ou|qui est derriere toi|quel modele es tu|es tu chatgpt|tu es chatgpt|es tu gpt|es tu claude|es tu siri|quelle ia es tu',
    asks_if_bot:
      'tu es la|vous etes la|es tu la|etes vous la|il y a quelqu un|y a t il quelqu un|y a quelqu un|est ce qu il y a quelqu un|quelqu un est la|quelqu un|il y a quelqu un ici|es tu un robot|es tu un bot|es tu une ia|es tu humain|es tu un humain|es tu une vraie personne|es tu une personne|es tu reel|es tu un chatbot|es tu une machine|tu es un robot|tu es un bot|tu es une ia|tu es humain|tu es un humain|tu es reel|etes vous un robot|etes vous un bot|etes vous une ia|etes vous humain|etes vous un humain|etes vous une vraie personne|etes vous une personne|etes vous reel|vous etes un robot|vous etes un bot|est ce un robot|est ce un bot|c est un robot|c est un bot|est ce que tu es un robot|est ce que vous etes un robot|est ce que tu es humain|est ce que vous etes humain|je parle a un robot|je parle a un humain|je parle avec un robot|est ce que je parle a un robot|est ce que je parle a un humain|suis je en train de parler a un robot|qui es tu|qui etes vous|tu es qui|vous etes qui|t es qui|comment tu t appelles|comment t appelles tu|comment vous appelez vous|quel est ton nom|quel est votre nom|ton nom',
  },
  names: 'je m appelle|mon nom est|moi c est|mon prenom est',
  thanksFor: 'pour|de',
  questionWords:
    'quoi|que|qu|comment|quand|ou|quel|quelle|quels|quelles|qui|pourquoi|combien|mais|peut|puis|est|ne|pas|veux|voudrais|rappeler|me',
  words: frenchWords,
  fillers:
    's il vous plait|s il te plait|svp|stp|monsieur|madame|a tous|a vous|toi|vous|tu|bot|robot|beaucoup|bien|encore|tres|alors|donc|et|oui|non|mais|bon|eh bien|pour votre aide|pour ton aide|pour l aide|pour votre reponse|pour ta reponse|pour l info|pour les infos|pour tout|pour rien|l equipe|chere equipe|ca|la|sur|a|de|merci',
  intensifiers: 'vraiment|vrmt|juste|seulement|bien|donc',
  continuations:
    'au|a|pour|concernant|car|parce|de|du|qui|pas|et|svp|s|maintenant|tout|en|sur|directement|merci|ici|plutot|ou|par',
};
